/** `lifehook pipeline history`: the sessions that have a record, newest first. */
import type { Command } from 'commander';
import process from 'node:process';

import { exitCodes } from '../exit-codes.ts';
import { outputOption } from '../output-option.ts';
import type { Settle } from '../settle.ts';
import { textTable } from '../text-table.ts';

interface HistoryOptions {
  readonly filename?: string;
  readonly output: string;
}

export function addHistoryCommand(parent: Command, settle: Settle): void {
  parent
    .command('history')
    .description('List the last sessions of this project')
    .option('-f, --filename <file>', 'instead of skaffold.yaml in this folder')
    .addOption(outputOption())
    .action(async (options: HistoryOptions) => {
      settle(await printHistory(options));
    });
}

async function printHistory({ filename, output }: HistoryOptions): Promise<number> {
  const { keptSessions } = await import('./kept-sessions.ts');
  const sessions = await keptSessions(filename);
  if (output === 'json') {
    process.stdout.write(`${JSON.stringify(sessions, null, 2)}\n`);
    return exitCodes.done;
  }
  const rows = sessions.map(({ id, verb, startedAt, exitCode, state }) => [
    id,
    verb,
    startedAt,
    exitCode?.toString() ?? (state === 'Running' ? 'none yet' : 'interrupted'),
  ]);
  process.stdout.write(textTable(['SESSION', 'VERB', 'STARTED', 'EXIT CODE'], rows));
  return exitCodes.done;
}
