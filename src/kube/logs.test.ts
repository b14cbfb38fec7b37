import { describe, expect, it } from 'vitest';

import { type Script, scriptedTransport } from '../../test/fixtures/scripted-transport.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { posixError } from '../platform/posix-error.ts';
import { LostLogError } from './api-error.ts';
import { lineBytesMax, type LogLine, type LogOptions, podLogs, resumesMax } from './logs.ts';

const target = { namespace: 'shop', pod: 'web-0', container: 'db' };

/** Timers that expire at once. */
const timers = {
  after: (_ms: number, callback: () => void) => nodePlatform.timers.after(0, callback),
};

interface Read {
  readonly lines: readonly LogLine[];
  readonly texts: readonly string[];
  readonly queries: readonly string[];
  readonly error: unknown;
}

async function read(script: Script, options: Partial<LogOptions> = {}): Promise<Read> {
  const transport = scriptedTransport(script);
  const platform = { clock: nodePlatform.clock, timers };
  const connection = { transport, platform, userAgent: 'test', random: () => 0 };
  const lines: LogLine[] = [];
  let error: unknown = null;
  try {
    for await (const line of podLogs(connection, { ...target, ...options })) lines.push(line);
  } catch (thrown) {
    error = thrown;
  }
  const queries = transport.requests.map(({ path }) => path.replace(/^.*\?/, ''));
  return { lines, texts: lines.map(({ text }) => text), queries, error };
}

const reset = posixError('ECONNRESET', 'reset');

async function* body(text: string, end?: Error): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  // Small pieces, so that the reader gets cut lines and cut characters.
  for (let start = 0; start < bytes.length; start += 7) yield bytes.subarray(start, start + 7);
  if (end !== undefined) throw end;
}

const at = (second: number, nano: string, text: string): string =>
  `2026-05-01T10:00:0${second}.${nano}Z ${text}\n`;

describe('the log of a container', () => {
  it('is read as lines with their times, also a last line without a line break', async () => {
    const text = `${at(1, '000000001', 'first')}${at(2, '5', 'größer')}no time here`;
    const { lines, queries } = await read(() => ({ body: body(text) }));
    expect(lines).toEqual([
      { time: '2026-05-01T10:00:01.000000001Z', text: 'first', truncated: false },
      { time: '2026-05-01T10:00:02.5Z', text: 'größer', truncated: false },
      { time: null, text: 'no time here', truncated: false },
    ]);
    expect(queries).toEqual(['container=db&timestamps=true']);
  });

  it('is lost if the node says so instead of it, and not if a container prints the same', async () => {
    const notice = 'unable to retrieve container logs for containerd://61a93aa1';
    for (const text of [notice, `${notice}\n`]) {
      for (const follow of [false, true]) {
        const { lines, error } = await read(() => ({ body: body(text) }), { follow });
        expect(lines).toEqual([]);
        expect(error).toBeInstanceOf(LostLogError);
      }
    }
    const { texts, error } = await read(() => ({ body: body(at(1, '1', notice)) }));
    expect(texts).toEqual([notice]);
    expect(error).toBeNull();
  });

  it('is requested with the given options', async () => {
    const options = { previous: true, tailLines: 0 };
    const { queries } = await read(() => ({ body: '' }), options);
    expect(queries).toEqual(['container=db&previous=true&timestamps=true&tailLines=0']);
    const since = await read(() => ({ body: '' }), { sinceTime: '2026-05-01T10:00:00Z' });
    expect(since.queries[0]).toContain('sinceTime=2026-05-01T10%3A00%3A00Z');
  });

  it('truncates a line that exceeds the limit, and marks it as truncated', async () => {
    const long = 'x'.repeat(lineBytesMax + 5);
    const { lines } = await read(() => ({ body: `${long}\nnext\n` }));
    expect(lines.map(({ text, truncated }) => [text.length, truncated])).toEqual([
      [lineBytesMax, true],
      [4, false],
    ]);
  });

  it('keeps a time that a long line prints where a runtime begins its next piece', async () => {
    const text = `${'é'.repeat(8 * 1024)}${at(1, '123', 'end').trimEnd()}`;
    const { texts } = await read(() => ({ body: body(at(1, '5', text)) }));
    expect(texts).toEqual([text]);
  });

  it('rejects with the status of the server', async () => {
    const status = {
      kind: 'Status',
      code: 400,
      reason: 'BadRequest',
      message: 'no such container',
    };
    const { error } = await read(() => ({ status: 400, body: status }), { follow: true });
    expect(error).toMatchObject({ name: 'ApiError', message: 'no such container' });
  });

  it('rejects when it breaks and is not followed', async () => {
    const { error, queries } = await read(() => ({ body: body('a\n', reset) }));
    expect(error).toMatchObject({ name: 'UnreachableError' });
    expect(queries).toHaveLength(1);
  });
});

describe('a followed log that breaks', () => {
  it('resumes without losing or repeating a line, though sinceTime has whole seconds', async () => {
    const old = at(3, '100000000', 'a') + at(3, '200000000', 'b');
    const twice = at(4, '5', 'same') + at(4, '5', 'same');
    const more = at(4, '6', 'c') + at(5, '1', 'd');
    const script: Script = (_request, index) =>
      index === 0
        ? { body: body(`${old}${twice}${at(4, '6', 'c').slice(0, -2)}`, reset) }
        : { body: body(`${old}${twice}${at(4, '5', 'third of the same time')}${more}`) };
    const { texts, queries } = await read(script, { follow: true, tailLines: 10 });
    expect(texts).toEqual(['a', 'b', 'same', 'same', 'third of the same time', 'c', 'd']);
    expect(queries).toEqual([
      'container=db&follow=true&timestamps=true&tailLines=10',
      'container=db&follow=true&timestamps=true&sinceTime=2026-05-01T10%3A00%3A03.000Z',
    ]);
  });

  it('resumes in a log that was rotated meanwhile', async () => {
    const script: Script = (_request, index) =>
      index === 0
        ? { body: body(at(3, '1', 'a') + at(3, '2', 'b'), reset) }
        : { body: body(at(3, '2', 'b') + at(3, '3', 'c')) };
    expect((await read(script, { follow: true })).texts).toEqual(['a', 'b', 'c']);
  });

  it('resumes correctly when times are out of order or in another time zone', async () => {
    const script: Script = (_request, index) =>
      index === 0
        ? { body: body(at(4, '2', 'err') + at(3, '9', 'out'), reset) }
        : { body: body(`${at(4, '2', 'err')}${at(3, '9', 'out')}2026-05-01T12:00:04.1+02:00 z\n`) };
    const { texts, queries } = await read(script, { follow: true });
    expect(texts).toEqual(['err', 'out', 'z']);
    expect(queries[1]).toContain('sinceTime=2026-05-01T10%3A00%3A02.000Z');
  });

  it('repeats the first request when no line was received yet', async () => {
    const script: Script = (_request, index) =>
      index === 0 ? { body: body('', reset) } : { body: at(1, '1', 'a') };
    const { texts, queries } = await read(script, { follow: true, tailLines: 9 });
    expect(texts).toEqual(['a']);
    expect(queries[1]).toBe(queries[0]);
  });

  it('rejects after a number of failed retries in a row, and each line resets that number', async () => {
    const down = posixError('ECONNREFUSED', 'refused');
    const first = { body: body(at(1, '1', 'a'), reset) };
    const { texts, queries, error } = await read(
      (_request, index) => {
        if (index === 0) return first;
        return index === 5 ? { body: body(at(1, '2', 'b'), reset) } : down;
      },
      { follow: true },
    );
    expect(texts).toEqual(['a', 'b']);
    expect(error).toMatchObject({ name: 'UnreachableError' });
    expect(queries).toHaveLength(6 + resumesMax);
  });

  it('retries while a server is starting, and rejects when the pod was deleted', async () => {
    const { error, queries } = await read(
      (_request, index) => {
        if (index === 0) return { body: body(at(1, '1', 'a'), reset) };
        const code = index === 1 ? 503 : 404;
        return { status: code, body: { kind: 'Status', code, reason: 'NotFound' } };
      },
      { follow: true },
    );
    expect(error).toMatchObject({ name: 'ApiError', code: 404 });
    expect(queries).toHaveLength(3);
  });

  it('ends without an error when its signal is aborted', async () => {
    const controller = new AbortController();
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(at(1, '1', 'a'));
      controller.abort();
      await new Promise(() => undefined);
    }
    const { signal } = controller;
    const { texts, error } = await read(() => ({ body: endless() }), { follow: true, signal });
    expect(texts).toEqual(['a']);
    expect(error).toBeNull();
  });
});
