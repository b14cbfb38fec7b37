/** The recorded sessions of a project. */
import { basename, dirname, join } from 'node:path';
import process from 'node:process';

import type { ProcessTable } from '../../store/process-table.ts';
import { configFile } from './config-facts.ts';
import {
  processTableOf,
  readSessionRecord,
  sessionFolders,
  type SessionRecord,
} from './session-folder.ts';

export interface KeptSession extends SessionRecord {
  /** The argument of `replay`. */
  readonly id: string;
  readonly folder: string;
  /** Interrupted: its process was killed before it could record an exit code. */
  readonly state: 'Running' | 'Ended' | 'Interrupted';
}

/** Newest first. */
export async function keptSessions(filename: string | undefined): Promise<readonly KeptSession[]> {
  const stateFolder = join(dirname(await configFile(filename)), '.lifehook');
  const processes = processTableOf(process.platform);
  const found: KeptSession[] = [];
  for (const folder of await sessionFolders(stateFolder)) {
    const record = await readSessionRecord(folder);
    const id = basename(folder).split('-').at(-1) ?? '';
    if (record === null) continue;
    const state = await stateOf(record, processes);
    // It may have ended between the two reads.
    const last = state === 'Interrupted' ? ((await readSessionRecord(folder)) ?? record) : record;
    found.push({ ...last, id, folder, state: last.exitCode === undefined ? state : 'Ended' });
  }
  return found;
}

async function stateOf(
  { exitCode, process: by }: SessionRecord,
  processes: ProcessTable,
): Promise<KeptSession['state']> {
  if (exitCode !== undefined) return 'Ended';
  return (await processes.isAlive(by)) ? 'Running' : 'Interrupted';
}
