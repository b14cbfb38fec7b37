import { arch } from 'node:os';
import { join, resolve } from 'node:path';
import {
  type ImageStore,
  imageUsers,
  openImageStore,
} from '../../packages/local-cluster/src/index.ts';
import { goarchOf } from '../platform/goarch.ts';
import { nodeArchives } from '../platform/node-archives.ts';
import { nodeSupervisors } from '../platform/node-supervisors.ts';
import { nodePlatform } from '../platform/node-platform.ts';

/** The image store of a local cluster. The cluster need not run. */
export function imageStoreOf(stateFolder: string): Promise<ImageStore> {
  const folder = resolve(stateFolder);
  return openImageStore({
    platform: nodePlatform,
    archives: nodeArchives,
    folder: join(folder, 'images'),
    architecture: goarchOf(arch()),
    usersOf: (id) =>
      imageUsers(id, {
        files: nodePlatform.files,
        supervisors: nodeSupervisors,
        stateFolders: RUNNERS.map((name) => join(folder, name)),
      }),
  });
}

/** Each runner keeps its containers in a directory that has the name of the runner. */
const RUNNERS = ['process', 'runc', 'crun'];
