import { describe, expect, it } from 'vitest';

import type { Exit } from '../platform/platform.ts';
import { posixError } from '../platform/posix-error.ts';
import { awaitReport, type SupervisorReport } from './records.ts';

const process = { pid: 7, started: 'boot/1' };
const started: SupervisorReport = { kind: 'started', supervisor: process, process, startedAtMs: 1 };
const running: Promise<Exit> = new Promise(() => undefined);
const ended: Promise<Exit> = Promise.resolve({ code: 0, signal: null });
const timers = {
  after: (_ms: number, callback: () => void) => {
    queueMicrotask(callback);
    return () => undefined;
  },
};

/** Reads these results in turn, and the last one again and again. */
function inTurn(...results: readonly (SupervisorReport | Error | null)[]) {
  let reads = 0;
  return async (): Promise<SupervisorReport | null> => {
    const result = results[Math.min(reads, results.length - 1)] ?? null;
    reads += 1;
    if (result instanceof Error) throw result;
    return result;
  };
}

describe('the report of a supervisor', () => {
  it.each(['EMFILE', 'ENFILE', 'ENOMEM'])(
    'is read again after %s, since the program may already run',
    async (code) => {
      const none = posixError(code, 'none is left');
      const look = inTurn(none, null, none, started);
      expect(await awaitReport({ timers, exited: running, look })).toEqual(started);
      const last = inTurn(null, none, none, started);
      expect(await awaitReport({ timers, exited: ended, look: last })).toEqual(started);
    },
  );

  it('is missing if the supervisor has exited without one', async () => {
    const report = await awaitReport({ timers, exited: ended, look: inTurn(null) });
    expect(report).toEqual({ kind: 'broken', because: 'it ended with code 0' });
  });

  it('is read every 5 ms in the first second, and then 20 times a second', async () => {
    let elapsedMs = 0;
    const readAtMs: number[] = [];
    const eager = {
      after: (ms: number, callback: () => void) => {
        elapsedMs += ms;
        return timers.after(ms, callback);
      },
    };
    const look = async (): Promise<SupervisorReport | null> => {
      readAtMs.push(elapsedMs);
      return elapsedMs < 60_000 ? null : started;
    };
    expect(await awaitReport({ timers: eager, exited: running, look })).toEqual(started);
    expect(readAtMs.slice(0, 3)).toEqual([0, 5, 10]);
    expect(readAtMs.filter((ms) => ms < 1_000)).toHaveLength(200);
    expect(readAtMs).toHaveLength(200 + 59 * 20 + 1);
  });

  it('cannot be awaited if it cannot be read', async () => {
    const look = inTurn(posixError('EACCES', 'denied'));
    await expect(awaitReport({ timers, exited: running, look })).rejects.toThrow('denied');
  });
});
