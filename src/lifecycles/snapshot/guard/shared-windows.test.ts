import { beforeEach, describe, expect, it } from 'vitest';

import {
  FROZEN_WINDOW,
  GUARD_AT,
  GuardBench,
} from '../../../../test/fixtures/snapshot/guard-bench.ts';
import { creationOf } from '../../../../test/fixtures/snapshot/guard-samples.ts';
import { ADMITTED_MAX } from '../schema/limits.ts';

let bench: GuardBench;

beforeEach(() => {
  bench = new GuardBench();
});

describe('requests that share a window', () => {
  it('opens one window for requests of two processes at the same time (SNAP-W6)', async () => {
    bench.guard();
    const other = bench.makeProcess('webhook-2');
    const all = Promise.all([
      ...['a', 'b'].map((uid) => bench.ask(creationOf(uid))),
      ...['c', 'd'].map((uid) => bench.ask(creationOf(uid), { by: other })),
    ]);
    await bench.reportWhen('mariadb-window-1', FROZEN_WINDOW);
    expect(await bench.until(all)).toEqual(Array.from({ length: 4 }, () => ({ allowed: true })));
    expect(bench.windowNames).toEqual(['mariadb-window-1']);
    expect(bench.admittedTo(0).toSorted()).toEqual(['a', 'b', 'c', 'd']);
  });

  it(`admits ${ADMITTED_MAX} at once, and the others into the next window (SNAP-W6)`, async () => {
    bench.guard({ freezeTimeoutSeconds: 25 });
    const uids = Array.from({ length: ADMITTED_MAX + 2 }, (_, index) => `u${index}`);
    const all = Promise.all(uids.map((uid) => bench.ask(creationOf(uid))));
    await bench.reportWhen('mariadb-window-1', FROZEN_WINDOW);
    while (bench.admittedTo(0).length < ADMITTED_MAX) await bench.pass(50);
    await bench.pass(500);
    bench.report('mariadb-window-1', { closedAt: GUARD_AT });
    await bench.reportWhen('mariadb-window-2', FROZEN_WINDOW);
    expect((await bench.until(all)).every(({ allowed }) => allowed)).toBe(true);
    expect(bench.windows.map((_, index) => bench.admittedTo(index).length)).toEqual([
      ADMITTED_MAX,
      2,
    ]);
  });

  it('waits for the next freeze, if it joined a slow one late (SNAP-W8)', async () => {
    bench.guard({ freezeTimeoutSeconds: 10 });
    const first = bench.ask(creationOf('a'));
    await bench.pass(8_000);
    const late = bench.ask(creationOf('b'));
    expect(await bench.until(first)).toMatchObject({ allowed: false });
    const at = GUARD_AT;
    const failure = { reason: 'FreezeTimeout', message: 'slow', at };
    bench.report('mariadb-window-1', { failure });
    await bench.reportWhen('mariadb-window-2', FROZEN_WINDOW);
    expect(await bench.until(late)).toEqual({ allowed: true });
    expect([bench.admittedTo(0), bench.admittedTo(1)]).toEqual([[], ['b']]);
  });

  it('decides again when the controller closes the window in between (SNAP-W2)', async () => {
    bench.guard();
    const first = bench.ask(creationOf('a'));
    await bench.reportWhen('mariadb-window-1', FROZEN_WINDOW);
    await bench.until(first);
    let closes = true;
    bench.onWrite = ({ verb }) => {
      if (verb !== 'status' || !closes) return;
      closes = false;
      bench.report('mariadb-window-1', { closedAt: GUARD_AT });
    };
    const second = bench.ask(creationOf('b'));
    await bench.reportWhen('mariadb-window-2', FROZEN_WINDOW);
    expect(await bench.until(second)).toEqual({ allowed: true });
    expect([bench.admittedTo(0), bench.admittedTo(1)]).toEqual([['a'], ['b']]);
  });

  it('repeats its answer while the window is open, and refuses the same UID afterwards (SNAP-W2)', async () => {
    bench.guard();
    const first = bench.ask(creationOf('a'));
    await bench.reportWhen('mariadb-window-1', FROZEN_WINDOW);
    await bench.until(first);
    expect(await bench.until(bench.ask(creationOf('a')))).toEqual({ allowed: true });
    expect(bench.admittedTo(0)).toEqual(['a']);
    bench.report('mariadb-window-1', { closedAt: GUARD_AT });
    expect(await bench.until(bench.ask(creationOf('a')))).toMatchObject({
      allowed: false,
      status: { message: expect.stringContaining('(WindowClosed)') as string },
    });
    expect(bench.windowNames).toEqual(['mariadb-window-1']);
  });

  it('refuses a repeated UID with Allow too, and records it in no newer window (SNAP-W2)', async () => {
    bench.guard({ onFreezeFailure: 'Allow' });
    for (const [index, uid] of ['a', 'b'].entries()) {
      const asked = bench.ask(creationOf(uid));
      await bench.reportWhen(`mariadb-window-${index + 1}`, FROZEN_WINDOW);
      await bench.until(asked);
      bench.report(`mariadb-window-${index + 1}`, { closedAt: GUARD_AT });
    }
    expect(await bench.until(bench.ask(creationOf('a')))).toMatchObject({
      allowed: false,
      status: {
        message: expect.stringContaining('applicationsnapshot mariadb-window-1') as string,
      },
    });
    expect([bench.admittedTo(0), bench.admittedTo(1)]).toEqual([['a'], ['b']]);
  });

  it('admits nothing for a client that has disconnected (SNAP-W4)', async () => {
    bench.guard({ onFreezeFailure: 'Allow' });
    const gaveUp = new AbortController();
    const asked = bench.ask(creationOf('u'), { signal: gaveUp.signal }).catch(() => 'failed');
    await bench.reportWhen('mariadb-window-1', {});
    gaveUp.abort();
    await bench.until(asked);
    bench.report('mariadb-window-1', FROZEN_WINDOW);
    await bench.pass(1_000);
    expect(bench.admittedTo(0)).toEqual([]);
  });

  it('fails, so that the API server refuses, when the record of the admission has no answer (SNAP-W2)', async () => {
    bench.guard();
    const asked = bench.ask(creationOf('u'));
    await bench.reportWhen('mariadb-window-1', {});
    bench.onWrite = ({ verb }) => {
      if (verb === 'status') bench.faults = { ...bench.faults, answerLost: 1 };
    };
    bench.report('mariadb-window-1', FROZEN_WINDOW);
    await expect(bench.until(asked)).rejects.toThrow('no answer');
    expect(bench.admittedTo(0)).toEqual(['u']);
  });
});
