import { describe, expect, it } from 'vitest';

import { eagerTime } from '../../../../test/fixtures/eager-time.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';
import { nodePlatform } from '../../../platform/node-platform.ts';
import { posixError } from '../../../platform/posix-error.ts';
import type { ShimHost } from '../../../platform/shim-host.ts';
import { procTable } from '../../../store/process-table.ts';
import type { RunnerReport } from '../hook-runs/hook-order.ts';
import { keepDeadline } from './keep-deadline.ts';

interface Scarcity {
  /** Milliseconds until which no process can be listed. */
  readonly listedFromMs?: number;
  /** Milliseconds until which no end can be written. */
  readonly writtenFromMs?: number;
  readonly failure?: Error;
}

const full = posixError('EMFILE', 'too many open files');

/**
 * Runs a hook without an end, with a deadline of 1 s and a child 8 that has left its group. Each wait passes at once.
 */
async function run({ listedFromMs = 0, writtenFromMs = 0, failure = full }: Scarcity) {
  const reports: RunnerReport[] = [];
  const killed: number[] = [];
  const time = eagerTime();
  const nowMs = (): number => time.clock.monotonicMs();
  let end: (exit: { code: null; signal: 'SIGKILL' }) => void = () => undefined;
  const host = {
    files: nodePlatform.files,
    ...time,
    env: {},
    replaceUnsynced: async (_: string, text: string) => {
      const report = JSON.parse(decodeUtf8(text)) as RunnerReport;
      if (report.kind === 'ended' && nowMs() < writtenFromMs) throw failure;
      reports.push(report);
    },
    supervision: {
      onSignal: () => undefined,
      becomeSubreaper: () => true,
      spawnDetached: () => ({
        pid: 7,
        exited: new Promise((resolve) => {
          end = resolve;
        }),
      }),
      descendants: () => {
        if (nowMs() < listedFromMs) throw full;
        return killed.includes(8)
          ? []
          : [{ pid: 8, group: 8, number: 8, started: '1', name: 'sleep' }];
      },
      signalProcess: (pid: number, signal: string) => {
        if (signal !== 'SIGKILL') return true;
        killed.push(pid);
        if (pid === -7) end({ code: null, signal: 'SIGKILL' });
        return true;
      },
    },
  } as unknown as ShimHost;
  const by = await procTable(nodePlatform.files).self();
  const order = { timeoutMs: 1_000, by, endFile: '/c/end', file: '/hook', argv: ['hook'] };
  const thrown = await keepDeadline(host, order).then(
    () => null,
    (error: unknown) => error,
  );
  const last = reports.at(-1);
  return { killed, ended: last?.kind === 'ended' ? last.end : null, nowMs: nowMs(), thrown };
}

describe('the runner of a hook', () => {
  it('kills a child that left the group at the deadline', async () => {
    const { killed, ended } = await run({});
    expect(killed).toEqual([-7, 8]);
    expect(ended).toEqual({
      exit: { code: null, signal: 'SIGKILL' },
      cause: 'TimedOut',
      failure: null,
      alsoEnded: ['8 (sleep)'],
    });
  });

  it('kills it as soon as it can be listed, however late, and reports that it was late', async () => {
    const { killed, ended } = await run({ listedFromMs: 300_000 });
    expect(killed).toEqual([-7, 8]);
    expect(ended).toEqual({
      exit: null,
      cause: 'TimedOut',
      failure: 'it was killed late, for lack of file descriptors or memory',
      alsoEnded: ['8 (sleep)'],
    });
  });

  it('reports the end once it can be written', async () => {
    const { ended, thrown } = await run({ writtenFromMs: 9_000 });
    expect([ended?.cause, thrown]).toEqual(['TimedOut', null]);
  });

  it.each([full, posixError('ENOSPC', 'the disk is full')])(
    'fails if the end cannot be written for too long: $message',
    async (failure) => {
      const { ended, thrown, nowMs } = await run({ writtenFromMs: Infinity, failure });
      expect([ended, thrown]).toEqual([null, failure]);
      expect(nowMs > 11_000).toBe(failure === full);
      expect(nowMs).toBeLessThan(15_000);
    },
  );
});
