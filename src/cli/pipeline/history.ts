/** `lifehook pipeline history`: the sessions that have a record, newest first. */
import type { Command } from 'commander';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';

import { exitCodes } from '../exit-codes.ts';
import { outputOption } from '../output-option.ts';
import type { Settle } from '../settle.ts';
import { textTable } from '../text-table.ts';
import { configFile } from './config-facts.ts';
import type { SessionRecord } from './session-folder.ts';

interface HistoryOptions {
  readonly filename?: string;
  readonly output: string;
}

export function addHistoryCommand(parent: Command, settle: Settle): void {
  parent
    .command('history')
    .description('the last sessions of this project, for replay')
    .option('-f, --filename <file>', 'instead of skaffold.yaml in this folder')
    .addOption(outputOption())
    .action(async (options: HistoryOptions) => {
      settle(await printHistory(options));
    });
}

export interface KeptSession extends SessionRecord {
  /** What `replay` takes. */
  readonly id: string;
  readonly folder: string;
}

/** Newest first. */
export async function keptSessions(filename: string | undefined): Promise<readonly KeptSession[]> {
  const { readSessionRecord, sessionFolders } = await import('./session-folder.ts');
  const stateFolder = join(dirname(await configFile(filename)), '.lifehook');
  const found: KeptSession[] = [];
  for (const folder of await sessionFolders(stateFolder)) {
    const record = await readSessionRecord(folder);
    const id = basename(folder).split('-').at(-1) ?? '';
    if (record !== null) found.push({ ...record, id, folder });
  }
  return found;
}

async function printHistory({ filename, output }: HistoryOptions): Promise<number> {
  const sessions = await keptSessions(filename);
  if (output === 'json') {
    process.stdout.write(`${JSON.stringify(sessions, null, 2)}\n`);
    return exitCodes.done;
  }
  const rows = sessions.map(({ id, verb, startedAt, exitCode }) => [
    id,
    verb,
    startedAt,
    exitCode?.toString() ?? 'none yet',
  ]);
  process.stdout.write(textTable(['SESSION', 'VERB', 'STARTED', 'EXIT CODE'], rows));
  return exitCodes.done;
}
