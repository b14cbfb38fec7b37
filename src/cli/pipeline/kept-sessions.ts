/** The sessions of a project that have a record. */
import { basename, dirname, join } from 'node:path';

import { configFile } from './config-facts.ts';
import { readSessionRecord, sessionFolders, type SessionRecord } from './session-folder.ts';

export interface KeptSession extends SessionRecord {
  /** What `replay` takes. */
  readonly id: string;
  readonly folder: string;
}

/** Newest first. */
export async function keptSessions(filename: string | undefined): Promise<readonly KeptSession[]> {
  const stateFolder = join(dirname(await configFile(filename)), '.lifehook');
  const found: KeptSession[] = [];
  for (const folder of await sessionFolders(stateFolder)) {
    const record = await readSessionRecord(folder);
    const id = basename(folder).split('-').at(-1) ?? '';
    if (record !== null) found.push({ ...record, id, folder });
  }
  return found;
}
