import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';

import { nodeFileTails } from '../../platform/file-tails.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { ProjectSource } from '../../timeline/sources/pipeline/follow-project.ts';
import { requireFolder } from '../require-folder.ts';
import { type Opening, type OpenSource, polled, type SourceOptions } from '../ui/sources.ts';
import { processTableOf } from './session-folder.ts';

const { files } = nodePlatform;

/** The sessions of a project; null: there is no project in this directory. */
export function timelineSource({ project }: SourceOptions, opening: Opening): OpenSource | null {
  const folder = project === undefined ? resolve('.') : requireFolder('--project', project);
  const isOne = ['.lifehook', 'skaffold.yaml'].some((name) => existsSync(join(folder, name)));
  if (project === undefined && !isOne) return null;
  const { store } = opening;
  const name = `project ${basename(folder)}`;
  const stateFolder = join(folder, '.lifehook');
  const processes = processTableOf(process.platform);
  const where = { stateFolder, name, processes };
  return polled(name, new ProjectSource({ store, files, tails: nodeFileTails, ...where }), opening);
}
