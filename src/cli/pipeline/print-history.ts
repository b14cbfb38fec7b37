/** The work of `lifehook pipeline history`: prints the recorded sessions. */
import { exitCodes } from '../exit-codes.ts';
import { type Listing, printListing } from '../listing.ts';
import type { ListFormat } from '../shared-options.ts';
import { keptSessions } from './kept-sessions.ts';

export interface HistoryOptions {
  readonly filename?: string;
  readonly output: ListFormat;
}

export async function printHistory({ filename, output }: HistoryOptions): Promise<number> {
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
