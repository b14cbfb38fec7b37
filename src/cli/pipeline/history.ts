/** `lifehook pipeline history` and `replay`: list the recorded sessions, and print the events of one. */
import type { Command } from 'commander';

import { exitCodes, type Settle } from '../exit-codes.ts';
import type { Listing } from '../listing.ts';
import { jsonOption, type ListFormat, listOutputOption } from '../shared-options.ts';
import type { ReplayOptions } from './replay-session.ts';

interface HistoryOptions {
  readonly filename?: string;
  readonly output: ListFormat;
}

export function addHistoryCommand(parent: Command, settle: Settle): void {
  parent
    .command('history')
    .description('List the last sessions of this project')
    .option('-f, --filename <file>', 'instead of skaffold.yaml in this folder')
    .addOption(listOutputOption())
    .action(async (options: HistoryOptions) => {
      settle(await printHistory(options));
    });
}

async function printHistory({ filename, output }: HistoryOptions): Promise<number> {
  const [{ keptSessions }, { printListing }] = await Promise.all([
    import('./kept-sessions.ts'),
    import('../listing.ts'),
  ]);
  const sessions = await keptSessions(filename);
  const columns: Listing<(typeof sessions)[number]>['columns'] = [
    { heading: 'SESSION', cell: ({ id }) => id },
    { heading: 'VERB', cell: ({ verb }) => verb },
    { heading: 'STARTED', cell: ({ startedAt }) => startedAt },
    {
      heading: 'EXIT CODE',
      cell: ({ exitCode, state }) =>
        exitCode?.toString() ?? (state === 'Running' ? 'none yet' : 'interrupted'),
      tone: ({ exitCode = 0 }) => (exitCode === 0 ? null : 'bad'),
    },
    { heading: 'FILE', cell: ({ file }) => file, isWide: true },
  ];
  printListing({ items: sessions, columns, nameOf: ({ id }) => id }, output);
  return exitCodes.done;
}

/** `lifehook pipeline replay`: prints the events of a session again, from its record; runs nothing. */
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
