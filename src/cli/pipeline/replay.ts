/** `lifehook pipeline replay`: what a session has told, once more, from its record; nothing is run. */
import type { Command } from 'commander';

import type { Settle } from '../exit-codes.ts';
import { jsonOption } from '../shared-options.ts';
import type { ReplayOptions } from './replay-session.ts';

export function addReplayCommand(parent: Command, settle: Settle): void {
  parent
    .command('replay')
    .description('Print the events of a session, with the seconds since it began')
    .argument('[session]', 'as in the history; without it the last one')
    .option('-f, --filename <file>', 'instead of skaffold.yaml in this folder')
    .addOption(jsonOption())
    .action(async (session: string | undefined, options: ReplayOptions) => {
      const { replay } = await import('./replay-session.ts');
      settle(await replay(session, options));
    });
}
