/** The recorded sessions of a project. */
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';

import type { PipelineEvent } from '../../lifecycles/pipeline/events/pipeline-event.ts';
import { LifehookError } from '../../model/problem.ts';
import { unlessMissing } from '../../platform/posix-error.ts';
import type { ProcessTable } from '../../store/process-table.ts';
import { exitCodes } from '../exit-codes.ts';
import { type Listing, printListing } from '../listing.ts';
import type { ListFormat } from '../shared-options.ts';
import { configFile } from './config-facts.ts';
import { eventLines } from './event-text.ts';
import {
  processTableOf,
  readSessionRecord,
  sessionFolders,
  type SessionRecord,
} from './session-folder.ts';

export interface KeptSession extends SessionRecord {
  /** Id of the session, as `replay` takes it. */
  readonly id: string;
  readonly folder: string;
  /** Interrupted: its process was killed before it could record an exit code. */
  readonly state: 'Running' | 'Ended' | 'Interrupted';
}

/** The sessions of a project, newest first. */
export async function keptSessions(filename: string | undefined): Promise<readonly KeptSession[]> {
  const stateFolder = join(dirname(await configFile(filename)), '.lifehook');
  const processes = processTableOf(process.platform);
  const found: KeptSession[] = [];
  for (const folder of await sessionFolders(stateFolder)) {
    const record = await readSessionRecord(folder);
    const id = basename(folder).split('-').at(-1) ?? '';
    if (record === null) continue;
    const state = await stateOf(record, processes);
    // Read again: the session may have ended since the first read.
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

/** The options of `lifehook pipeline history`, which prints the recorded sessions. */
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

/**
 * Options of `lifehook pipeline replay`. The command prints the record of a session: as lines with the seconds since
 * the start of the session, or as JSON, exactly as recorded.
 */
export interface ReplayOptions {
  readonly filename?: string;
  readonly output: string;
}

export async function replay(
  wanted: string | undefined,
  { filename, output }: ReplayOptions,
): Promise<number> {
  const { folder, state } = choose(await keptSessions(filename), wanted);
  // A session that was killed before its first event has no such file.
  const text = (await unlessMissing(readFile(join(folder, 'events.ndjson'), 'utf8'))) ?? '';
  if (output === 'json') {
    process.stdout.write(text);
    return exitCodes.done;
  }
  const events = text.split('\n').flatMap((line) => eventIn(line) ?? []);
  const begunMs = events[0]?.atMs ?? 0;
  for (const event of events) process.stdout.write(replayed(event, event.atMs - begunMs));
  if (state === 'Interrupted') process.stdout.write(INTERRUPTED);
  return exitCodes.done;
}

const INTERRUPTED =
  'interrupted: the session was killed, and recorded nothing more; its commands may still be running.\n';

function choose(sessions: readonly KeptSession[], wanted: string | undefined): KeptSession {
  const [last] = sessions;
  const found = wanted === undefined ? last : sessions.find(({ id }) => id === wanted);
  if (found !== undefined) return found;
  const message =
    wanted === undefined
      ? 'No session of this project is recorded.'
      : `No session "${wanted}" of this project is recorded.`;
  throw new LifehookError({
    code: 'LHL604',
    message,
    next: '`lifehook pipeline history` lists the recorded sessions.',
  });
}

/** null: the line is no event. It was cut off when its session was killed, or it has the count of dropped events. */
function eventIn(line: string): PipelineEvent | null {
  try {
    // A session wrote the line, so every complete line has this type.
    const event = JSON.parse(line) as PipelineEvent;
    return typeof event.atMs === 'number' ? event : null;
  } catch {
    return null;
  }
}

const MS_PER_SECOND = 1_000;
const TIME_WIDTH = 9;

function replayed(event: PipelineEvent, sinceMs: number): string {
  const time = (sinceMs / MS_PER_SECOND).toFixed(3).padStart(TIME_WIDTH);
  const lines = eventLines(event).map((line) => line.text);
  if (event.type === 'Ended') {
    lines.push(...(event.message === undefined ? [] : [event.message]));
    const { exitCode, ownExitCode = exitCode } = event;
    const own =
      ownExitCode === exitCode ? '' : `; the failed hook or program exited with ${ownExitCode}`;
    lines.push(`ended with exit code ${exitCode}${own}`);
  }
  return lines
    .flatMap((text) => text.split('\n'))
    .map((text) => `${time}  ${text}\n`)
    .join('');
}
