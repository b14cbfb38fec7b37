import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { spoolFolder } from '../../lifecycles/container/life/life.ts';
import { RecordsSource } from '../../timeline/sources/container/follow-records.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { requireFolder } from '../require-folder.ts';
import { type Opening, type OpenSource, polled, type SourceOptions } from '../ui/sources.ts';
import { lifeRoot } from './life-options.ts';

const { files } = nodePlatform;

/** The records of the hooks of containers; null: --records is absent, and the default directory does not exist. */
export function timelineSource({ records }: SourceOptions, opening: Opening): OpenSource | null {
  const usual = resolve(spoolFolder(lifeRoot({})));
  if (records === undefined && !existsSync(usual)) return null;
  const folder = records === undefined ? usual : requireFolder('--records', records);
  const name = `containers of ${folder}`;
  return polled(name, new RecordsSource({ store: opening.store, files, folder, name }), opening);
}
