/**
 * The log of a container as one growing sequence of records, over its two files and their rotation.
 *
 * The file is renamed to NAME.1 when it is full. Who reads it holds it open, reads it to its end, and
 * goes on with the new one: no record is lost or read twice, as long as not two rotations come between
 * two looks.
 */
import type { CancelSignal, Timers } from '../../../../src/platform/platform.ts';
import type { FileTail, FileTails } from '../../../../src/platform/file-tails.ts';
import { sleep } from '../../../../src/platform/sleep.ts';

export interface LogFiles {
  readonly tails: FileTails;
  readonly timers: Timers;
  readonly path: string;
  /** Go on as the file grows, until this says that nothing more will come. */
  readonly follow: boolean;
  readonly finished: () => boolean;
  readonly signal: CancelSignal;
}

const CHUNK_BYTES = 65_536;

/** How often a file that is followed is looked at, milliseconds. */
const POLL_MS = 50;

/** One record a line, without its end; an empty array now and then, at the end of what is there. */
export async function* logRecords(log: LogFiles): AsyncGenerator<readonly string[]> {
  const opened = await openBoth(log);
  for (
    let tail = opened.shift();
    tail !== undefined;
    tail = opened.shift() ?? (await nextFile(log, tail))
  ) {
    try {
      // All but the newest have all that they will ever have.
      yield* recordsOf(tail, { ...log, follow: log.follow && opened.length === 0 });
    } finally {
      await tail.close();
    }
    if (log.signal.aborted) break;
  }
  for (const tail of opened) await tail.close();
}

/** The older one first. Renamed just between: then both are the same file. */
async function openBoth({ tails, path }: LogFiles): Promise<FileTail[]> {
  const newest = await tails.open(path);
  const older = await tails.open(`${path}.1`);
  if (older === null || newest === null) return [older, newest].filter((tail) => tail !== null);
  if (older.identity !== newest.identity) return [older, newest];
  await older.close();
  return [newest];
}

/** The file that has replaced a followed one, awaited while a rotation has not created it yet; undefined: there is none. */
async function nextFile(log: LogFiles, { identity }: FileTail): Promise<FileTail | undefined> {
  while (log.follow) {
    // Asked before the look: a container that has exited creates no file any more.
    const last = log.finished() || log.signal.aborted;
    const now = await log.tails.open(log.path);
    if (now !== null && now.identity !== identity) return now;
    await now?.close();
    if (now !== null || last) return undefined;
    await sleep(log.timers, POLL_MS, log.signal);
  }
  return undefined;
}

async function* recordsOf(tail: FileTail, log: LogFiles): AsyncGenerator<readonly string[]> {
  let offset = 0;
  let unfinished = '';
  while (!log.signal.aborted) {
    // Asked before the read: what was written before the end is then in it.
    const last = !log.follow || log.finished() || (await isReplaced(tail, log));
    const bytes = await tail.read(offset, CHUNK_BYTES);
    offset += bytes.length;
    const lines = (unfinished + bytes).split('\n');
    unfinished = lines.pop() ?? '';
    yield lines;
    if (bytes !== '') continue;
    if (last) return;
    await sleep(log.timers, POLL_MS, log.signal);
  }
}

async function isReplaced(tail: FileTail, { tails, path }: LogFiles): Promise<boolean> {
  const now = await tails.open(path);
  await now?.close();
  return now?.identity !== tail.identity;
}
