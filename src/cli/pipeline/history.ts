/** `lifehook pipeline history` and `replay`: list the recorded sessions, and print the events of one. */
import type { Command } from 'commander';

import type { Settle } from '../exit-codes.ts';
import { jsonOption, listOutputOption } from '../shared-options.ts';
import type { HistoryOptions } from './print-history.ts';
import type { ReplayOptions } from './replay-session.ts';

export function addHistoryCommand(parent: Command, settle: Settle): void {
  parent
    .command('history')
    .description('List the last sessions of this project')
    .option('-f, --filename <file>', 'pipeline file; default: skaffold.yaml in this directory')
    .addOption(listOutputOption())
    .action(async (options: HistoryOptions) => {
      const { printHistory } = await import('./print-history.ts');
      settle(await printHistory(options));
    });
}

/** `lifehook pipeline replay`: prints the events of a session again, from its record; runs nothing. */
export function addReplayCommand(parent: Command, settle: Settle): void {
  parent
    .command('replay')
    .description('Print the events of a session, with the seconds since it began')
    .argument('[session]', 'id of the session, as in the history; default: the last one')
    .option('-f, --filename <file>', 'pipeline file; default: skaffold.yaml in this directory')
    .addOption(jsonOption())
    .action(async (session: string | undefined, options: ReplayOptions) => {
      const { replay } = await import('./replay-session.ts');
      settle(await replay(session, options));
    });
}
