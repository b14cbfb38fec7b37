/**
 * Reads the log of one container, line by line, no faster than the caller. A broken follow resumes with no line lost or
 * repeated, until the server ends it when the container has exited.
 *
 * Not covered: if a container restarts while the connection is broken, the follow continues with the log of the new
 * container. The end of the old log is in `previous`. A follow that breaks before its first line starts anew.
 */
import type { CancelSignal } from '../platform/platform.ts';
import { sleep, backoffMs } from '../platform/sleep.ts';
import { errorOfAnswer } from './answer-error.ts';
import { ApiError, LostLogError, UnreachableError } from './api-error.ts';
import type { KubeConnection } from './client.ts';
import { LogMemory, readStamp } from './logs-memory.ts';
import { withQuery } from './paths.ts';
import { openAnswer, readText, unreachable } from './send-request.ts';

export interface LogOptions {
  readonly namespace: string;
  readonly pod: string;
  /** Container in the pod; absent: the pod's only container. */
  readonly container?: string;
  readonly follow?: boolean;
  /** Whether to read the log of the container's previous instance. */
  readonly previous?: boolean;
  /** Only lines since this time, in RFC 3339; servers truncate it to whole seconds. */
  readonly sinceTime?: string;
  readonly tailLines?: number;
  /** Abort ends the lines, without an error. */
  readonly signal?: CancelSignal;
}

export interface LogLine {
  /** Time of the line in RFC 3339 with nanoseconds; null: the server sent none. */
  readonly time: string | null;
  /** The line without its line break. It is decoded as UTF-8, with U+FFFD for invalid bytes. */
  readonly text: string;
  /** Whether the line was longer than 1 MiB, and the rest of it was dropped. */
  readonly truncated: boolean;
}

/** Maximum number of reconnects in a row without a line in between. The pauses before them last 36 to 73 s in all. */
export const resumesMax = 12;
const resumeBackoff = { firstMs: 200, maxMs: 10_000 };
/** Maximum size of an answer that is not a log. */
const errorBytesMax: number = 64 * 1024;

/**
 * Rejects with `ApiError` if the server refuses, with `LostLogError` if the node has removed the container, and with `UnreachableError` if the connection fails or breaks. A
 * server that stays silent is waited for, until the signal aborts.
 */
export async function* podLogs(
  connection: KubeConnection,
  options: LogOptions,
): AsyncGenerator<LogLine, void, undefined> {
  const { timers } = connection.platform;
  const reading: Reading = {
    connection,
    options,
    memory: new LogMemory(),
    opened: false,
  };
  for (let failures = 0; ;) {
    try {
      for await (const line of readOnce(reading)) {
        refuseLost(line, options);
        failures = 0;
        yield line;
      }
      return;
    } catch (error) {
      if (options.signal?.aborted === true) return;
      failures += 1;
      if (!mayResume(reading, error) || failures > resumesMax) throw error;
      const pauseMs = backoffMs(failures, resumeBackoff, connection.random());
      await sleep(timers, pauseMs, options.signal);
    }
  }
}

/** Throws if the line is what a node answers instead of the log of a container that it has removed. */
function refuseLost({ time, text }: LogLine, { pod }: LogOptions): void {
  if (time === null && LOST.test(text)) throw new LostLogError(pod);
}

const LOST = /^unable to retrieve container logs for \S+$/u;

interface Reading {
  readonly connection: KubeConnection;
  readonly options: LogOptions;
  readonly memory: LogMemory;
  /** Whether the server has answered once: every later failure counts as a broken connection. */
  opened: boolean;
}

async function* readOnce(reading: Reading): AsyncGenerator<LogLine, void, undefined> {
  const { connection, options } = reading;
  const path = logPath(reading);
  const splitter = splitLines();
  const { signal } = options;
  const request = {
    method: 'GET',
    path,
    headers: {},
    ...(signal === undefined ? {} : { signal }),
  } as const;
  const { status, headers, body } = await openAnswer(connection, request);
  if (status !== 200) {
    const text = await readText(body, errorBytesMax);
    throw errorOfAnswer({ status, headers, text });
  }
  reading.opened = true;
  try {
    for await (const chunk of body) yield* newLines(reading.memory, splitter.add(chunk));
  } catch (error) {
    throw unreachable(`GET ${path}`, error, { sent: true });
  }
  yield* newLines(reading.memory, splitter.finish());
}

function* newLines(memory: LogMemory, lines: readonly RawLine[]): Generator<LogLine> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for (const { bytes, truncated } of lines) {
    const stamp = readStamp(bytes);
    if (stamp === null || memory.take(stamp)) {
      const text = decoder.decode(stamp === null ? bytes : bytes.subarray(stamp.text.length + 1));
      yield { time: stamp?.text ?? null, text, truncated };
    }
  }
}

function mayResume({ options, opened }: Reading, error: unknown): boolean {
  if (options.follow !== true || !opened) return false;
  if (error instanceof UnreachableError) return true;
  return error instanceof ApiError && (error.code >= 500 || error.code === 429);
}

function logPath({ options, memory }: Reading): string {
  const { namespace, pod, container, follow, previous, sinceTime, tailLines } = options;
  const parts = ['api', 'v1', 'namespaces', namespace, 'pods', pod, 'log'];
  const resumeFrom = memory.resumeFrom();
  return withQuery(`/${parts.map(encodeURIComponent).join('/')}`, {
    container,
    follow,
    previous,
    timestamps: true,
    ...(resumeFrom === null ? { sinceTime, tailLines } : { sinceTime: resumeFrom }),
  });
}

/**
 * Splits a stream of bytes into the lines of a log. Bytes after the last line feed are a line only if the stream ended
 * normally. If the connection broke, the server sends that line again.
 */
export interface LineSplitter {
  add(chunk: Uint8Array): readonly RawLine[];
  /** The last line, if there is one; call it only after a normal end. */
  finish(): readonly RawLine[];
}

export interface RawLine {
  readonly bytes: Uint8Array;
  /** Whether the line is longer than the limit. */
  readonly truncated: boolean;
}

export const lineBytesMax: number = 1024 * 1024;

const lineBreak = 10;

function splitLines(): LineSplitter {
  let pieces: Uint8Array[] = [];
  let length = 0;
  const keep = (piece: Uint8Array): void => {
    const free = Math.max(0, lineBytesMax - length);
    if (free > 0 && piece.length > 0) pieces.push(piece.slice(0, free));
    length += piece.length;
  };
  const take = (): RawLine => {
    const line = { bytes: joined(pieces), truncated: length > lineBytesMax };
    pieces = [];
    length = 0;
    return line;
  };
  return {
    add: (chunk) => {
      const lines: RawLine[] = [];
      let start = 0;
      for (let end = chunk.indexOf(lineBreak); end !== -1; end = chunk.indexOf(lineBreak, start)) {
        keep(chunk.subarray(start, end));
        lines.push(take());
        start = end + 1;
      }
      keep(chunk.subarray(start));
      return lines;
    },
    finish: () => (length === 0 ? [] : [take()]),
  };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array()] = pieces;
  if (pieces.length < 2) return first;
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let start = 0;
  for (const piece of pieces) {
    whole.set(piece, start);
    start += piece.length;
  }
  return whole;
}
