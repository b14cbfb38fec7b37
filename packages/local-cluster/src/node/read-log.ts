import type { LogRequest } from '../api/pod-streams.ts';
import type { CancelSignal, Timers } from '../../../../src/platform/platform.ts';
import type { FileTail, FileTails } from '../../../../src/platform/file-tails.ts';
import { sleep } from '../../../../src/platform/sleep.ts';

export type LogWish = Pick<
  LogRequest,
  'follow' | 'timestamps' | 'sinceMs' | 'tailLines' | 'limitBytes'
>;

/** Yields the requested part of a container's log as bytes, as fast as the reader takes them. */
export async function* readLog(files: LogFiles, wish: LogWish): AsyncGenerator<Uint8Array> {
  let left = wish.limitBytes ?? Number.POSITIVE_INFINITY;
  let atLineStart = true;
  for await (const records of wishedRecords(files, wish)) {
    let text = '';
    for (const record of records) {
      text += wish.timestamps && atLineStart ? `${record.time} ${record.text}` : record.text;
      atLineStart = record.endsLine;
    }
    const bytes = bytesOf(text.slice(0, left));
    left -= bytes.length;
    if (bytes.length > 0) yield bytes;
    if (left <= 0) return;
  }
}

/**
 * Yields the records that a request wants. With `tailLines`, the existing lines are yielded once the end of the newest
 * file is reached.
 */
async function* wishedRecords(
  files: LogFiles,
  wish: LogWish,
): AsyncGenerator<readonly LogRecord[]> {
  let last = wish.tailLines === null ? null : new LastLines(wish.tailLines);
  for await (const lines of logRecords(files)) {
    const records = lines.map(parseRecord).filter((record) => record !== null);
    const wished = records.filter(
      ({ time }) => wish.sinceMs === null || Date.parse(time) >= wish.sinceMs,
    );
    if (last === null) {
      yield wished;
    } else {
      for (const record of wished) last.add(record);
      if (lines.length === 0 && files.follow) {
        yield last.take();
        last = null;
      }
    }
  }
  if (last !== null) yield last.take();
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** One record of a container's log file. */
interface LogRecord {
  /** Time of the record: RFC 3339 with nanoseconds. */
  readonly time: string;
  /** Text with its line end; without one if the line continues in the next record. */
  readonly text: string;
  readonly endsLine: boolean;
}

/** Parses `<time> <stdout|stderr> <F|P> <text>`; null if the line is no record. */
function parseRecord(line: string): LogRecord | null {
  const [, time, mark, text = ''] = /^(\S+) (?:stdout|stderr) ([FP]) (.*)$/s.exec(line) ?? [];
  if (time === undefined) return null;
  const endsLine = mark === 'F';
  return { time, text: endsLine ? `${text}\n` : text, endsLine };
}

/** Keeps the last lines that were added. A line may consist of several records. */
class LastLines {
  readonly #max: number;
  #records: LogRecord[] = [];
  #ends = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(record: LogRecord): void {
    this.#records.push(record);
    if (record.endsLine) this.#ends += 1;
    const open = record.endsLine ? 0 : 1;
    while (this.#ends + open > this.#max && this.#records.length > 0) {
      const first = this.#records.shift();
      if (first?.endsLine === true) this.#ends -= 1;
    }
  }

  take(): readonly LogRecord[] {
    const records = this.#records;
    this.#records = [];
    this.#ends = 0;
    return records;
  }
}

/**
 * The log of a container as one sequence of records, across its two files and their rotation.
 *
 * A full file is renamed to NAME.1. The reader keeps it open, reads it to its end, and continues with the new file. So
 * no record is lost or read twice, unless the files rotate twice between two polls.
 */
interface LogFiles {
  readonly tails: FileTails;
  readonly timers: Timers;
  readonly path: string;
  /** True to continue as the file grows, until `finished` returns true. */
  readonly follow: boolean;
  readonly finished: () => boolean;
  readonly signal: CancelSignal;
}

const CHUNK_BYTES = 65_536;

/** Milliseconds between two polls of a followed file. */
const POLL_MS = 50;

/**
 * Yields lines, one for each record and without line ends. At each end of the newest file it yields an empty array.
 */
async function* logRecords(log: LogFiles): AsyncGenerator<readonly string[]> {
  const opened = await openBoth(log);
  for (
    let tail = opened.shift();
    tail !== undefined;
    tail = opened.shift() ?? (await nextFile(log, tail))
  ) {
    try {
      // Only the newest file can grow.
      const isNewest = opened.length === 0;
      yield* recordsOf(tail, { ...log, follow: log.follow && isNewest, isNewest });
    } finally {
      await tail.close();
    }
    if (log.signal.aborted) break;
  }
  for (const tail of opened) await tail.close();
}

/**
 * Opens the older file, then the newest. If the files rotate in between, both are the same file, which is returned
 * once.
 */
async function openBoth({ tails, path }: LogFiles): Promise<FileTail[]> {
  const newest = await tails.open(path);
  const older = await tails.open(`${path}.1`);
  if (older === null || newest === null) return [older, newest].filter((tail) => tail !== null);
  if (older.identity !== newest.identity) return [older, newest];
  await older.close();
  return [newest];
}

/**
 * Waits for the file that replaces a followed file; the rotation may create it later. Resolves to undefined if there is
 * none.
 */
async function nextFile(log: LogFiles, { identity }: FileTail): Promise<FileTail | undefined> {
  while (log.follow) {
    // `finished` is called before the file is opened: a container that has exited creates no further file.
    const last = log.finished() || log.signal.aborted;
    const now = await log.tails.open(log.path);
    if (now !== null && now.identity !== identity) return now;
    await now?.close();
    if (now !== null || last) return undefined;
    await sleep(log.timers, POLL_MS, log.signal);
  }
  return undefined;
}

async function* recordsOf(
  tail: FileTail,
  log: LogFiles & { readonly isNewest: boolean },
): AsyncGenerator<readonly string[]> {
  let offset = 0;
  let unfinished = '';
  while (!log.signal.aborted) {
    // Asked before the read, so that the read includes everything that was written before the container exited.
    const last = !log.follow || log.finished() || (await isReplaced(tail, log));
    const bytes = await tail.read(offset, CHUNK_BYTES);
    offset += bytes.length;
    const lines = (unfinished + bytes).split('\n');
    unfinished = lines.pop() ?? '';
    if (lines.length > 0) yield lines;
    if (bytes !== '') continue;
    if (log.isNewest) yield [];
    if (last) return;
    await sleep(log.timers, POLL_MS, log.signal);
  }
}

async function isReplaced(tail: FileTail, { tails, path }: LogFiles): Promise<boolean> {
  const now = await tails.open(path);
  await now?.close();
  return now?.identity !== tail.identity;
}
