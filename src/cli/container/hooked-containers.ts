import type { OciContainers, RuntimeWorld } from '../../../packages/local-cluster/src/index.ts';
import type { FolderOptions } from './hook-folders.ts';
import { type LifeOptions, ociContainers, scanOptions } from './runtime-containers.ts';
import { shimWrap } from './shim-wrap.ts';

/** The containers that the runtime at the path `command` runs for the local cluster, with this machine's hooks. */
export function hookedContainers(world: RuntimeWorld, command: string): OciContainers {
  return ociContainers(world, { command, hooks: runtimeHooks(world.stateFolder) });
}

/**
 * The hooks.d directories of this machine, for the containers that a runtime runs for a local cluster.
 * `stateFolder`: that of the runtime; the records of hooks are stored next to its containers.
 */
export function runtimeHooks(
  stateFolder: string,
  folders: FolderOptions = {},
): NonNullable<LifeOptions['hooks']> {
  const wrap = shimWrap(`${stateFolder}/lives`);
  return {
    source: {
      scan: scanOptions(folders),
      policy: { badFiles: 'refuse', brokenHooks: 'skip' },
      prestart: 'createRuntime',
    },
    ...(wrap !== null && { wrap }),
  };
}
