import { describe, expect, it } from 'vitest';

import { HookBench } from '../../../../test/sim/snapshot/hook-bench.ts';

describe('a freeze that fails', () => {
  it('is retried until its timeout, and then all targets are thawed (SNAP-R15, SNAP-G9, SNAP-CASE10)', async () => {
    const bench = new HookBench();
    for (const name of ['a', 'b', 'c']) bench.makePod(name, ['db', 'log']);
    bench.behaviours.set('freeze c/db', { exitCode: 3 });
    bench.makeHook('h', {
      preAction: { exec: { command: ['freeze'] }, actionTimeoutSeconds: 4 },
    });
    bench.start();
    await bench.eventually('failed', bench.hasFailed());
    await bench.eventually('settled', bench.isFree());
    const tries = bench.ran.filter(
      ({ place, command }) => place === 'c/db' && command === 'freeze',
    );
    // The freeze is tried at 0, 0.5, 1.5 and 3.5 s, within its timeout of 4 s.
    expect(tries).toHaveLength(4);
    expect(bench.commands()).not.toContain('freeze c/log');
    const thawed = bench
      .commands()
      .filter((each) => each.startsWith('thaw'))
      .toSorted();
    expect(thawed).toEqual(['thaw a/db', 'thaw a/log', 'thaw b/db', 'thaw b/log', 'thaw c/db']);
    const { preActionSucceed, postActionSucceed, release } = bench.hook('h')?.status ?? {};
    expect([preActionSucceed, postActionSucceed, release?.cause]).toEqual([
      false,
      true,
      'PreFailed',
    ]);
    expect(bench.condition('Failed')).toBe('PreActionFailed');
    // The object stays for a user to inspect, without our finalizer.
    expect(bench.hook('h')?.metadata?.finalizers ?? []).toEqual([]);
  });

  it('by hanging is TimedOut at its deadline, and is thawed (SNAP-CASE12)', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.behaviours.set('freeze', 'hangs');
    bench.makeHook('h');
    bench.start();
    await bench.eventually('settled', bench.isFree());
    await bench.eventually('failed', bench.hasFailed());
    await bench.eventually('settled', bench.isFree());
    const [froze, thawed] = bench.ran;
    expect([
      bench.commands(),
      Math.round((thawed?.atMs ?? 0) - (froze?.atMs ?? 0)) < 31_000,
    ]).toEqual([['freeze a/db', 'thaw a/db'], true]);
    expect(bench.targets()[0]?.preActionStatus?.attempts?.[0]?.outcome).toBe('TimedOut');
  });

  it('with an unknown outcome is retried only if it is idempotent (SNAP-G17)', async () => {
    for (const idempotent of [false, true]) {
      const bench = new HookBench();
      bench.makePod('a');
      bench.behaviours.set('freeze', { lostAfterMs: 100 });
      bench.makeHook('h', {
        preAction: { exec: { command: ['freeze'] }, actionTimeoutSeconds: 2, idempotent },
      });
      bench.start();
      await bench.eventually('failed', bench.hasFailed());
      await bench.eventually('settled', bench.isFree());
      const tries = bench.commands().filter((each) => each.startsWith('freeze'));
      expect(tries).toHaveLength(idempotent ? 3 : 1);
      expect(bench.commands().at(-1)).toBe('thaw a/db');
    }
  });

  it('with an unknown outcome is not retried although the probe finds nothing frozen', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.behaviours.set('freeze', { lostAfterMs: 100 });
    bench.behaviours.set('probe', { exitCode: 1 });
    bench.makeHook('h', { probe: { exec: { command: ['probe'] } } });
    bench.start();
    await bench.eventually('failed', bench.hasFailed());
    await bench.eventually('settled', bench.isFree());
    expect(bench.commands()).toEqual(['freeze a/db', 'probe a/db', 'thaw a/db']);
  });

  it('includes one that succeeds while the probe finds nothing frozen (SNAP-CASE14)', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.behaviours.set('probe', { exitCode: 1 });
    bench.makeHook('h', { probe: { exec: { command: ['probe'] } } });
    bench.start();
    await bench.eventually('failed', bench.hasFailed());
    await bench.eventually('settled', bench.isFree());
    expect(bench.commands()).toEqual(['freeze a/db', 'probe a/db', 'thaw a/db']);
    expect(bench.targets()[0]?.preActionStatus?.error?.message).toContain('not in force');
    expect(bench.targets()[0]?.probes?.map(({ outcome }) => outcome)).toEqual(['NotFrozen']);
  });
});

describe('the expiry of a freeze', () => {
  it('thaws it in time after the wall clock was set back (SNAP-R22, SNAP-G12, SNAP-I5)', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.makeHook('h', { expirationSeconds: 20 });
    const host = bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    host.setClock(-3_600_000);
    await bench.eventually('settled', bench.isFree());
    const [froze, thawed] = bench.ran;
    const ms = (thawed?.atMs ?? 0) - (froze?.atMs ?? 0);
    expect(ms).toBeGreaterThan(19_000);
    expect(ms).toBeLessThan(20_300);
    expect([bench.hook('h')?.status?.release?.cause, bench.condition('Failed')]).toEqual([
      'Expired',
      'Expired',
    ]);
  });

  it('is kept by the next controller after a kill (SNAP-I1, SNAP-CASE20)', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.makeHook('h', { expirationSeconds: 20 });
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    bench.kill();
    await bench.pass(10_000);
    bench.start();
    await bench.eventually('settled', bench.isFree());
    const ms = (bench.ran[1]?.atMs ?? 0) - (bench.ran[0]?.atMs ?? 0);
    expect([ms > 19_000, ms < 20_500]).toEqual([true, true]);
  });

  it('stops a running freeze (SNAP-I5)', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.behaviours.set('freeze', 'hangs');
    bench.makeHook('h', { expirationSeconds: 5 });
    bench.start();
    await bench.eventually('settled', bench.isFree());
    await bench.eventually('thaw', () => bench.ran.length === 2);
    expect((bench.ran[1]?.atMs ?? 0) - (bench.ran[0]?.atMs ?? 0)).toBeLessThan(5_500);
  });
});

describe('many targets', () => {
  it('are frozen with far fewer writes than there are targets', async () => {
    const bench = new HookBench();
    for (let index = 0; index < 100; index += 1) bench.makePod(`p${index}`, ['db', 'log']);
    bench.makeHook('h');
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    expect(bench.ran).toHaveLength(200);
    const writes = bench.api.history.filter(({ object }) => object.kind === 'ExecutionHook');
    expect(writes.length).toBeLessThan(20);
    bench.deleteHook('h');
    await bench.eventually('gone', bench.isDeleted());
    expect(bench.ran).toHaveLength(400);
  });

  it('have what is left of their time when they wait for one of 64 connections (SNAP-R15)', async () => {
    const bench = new HookBench();
    for (let index = 0; index < 65; index += 1) bench.makePod(`p${100 + index}`);
    bench.behaviours.set('freeze', { exitCode: 0, ms: 20_000 });
    bench.behaviours.set('freeze p164/db', 'hangs');
    bench.makeHook('h', { preAction: { exec: { command: ['freeze'] }, actionTimeoutSeconds: 30 } });
    bench.start();
    await bench.eventually('failed', bench.hasFailed(), 120_000);
    const last = bench.targets().at(-1)?.preActionStatus?.attempts?.[0];
    expect(last?.outcome).toBe('TimedOut');
    const lastedMs = Date.parse(last?.endedAt ?? '') - Date.parse(last?.startedAt ?? '');
    expect([lastedMs > 29_000, lastedMs < 31_000]).toEqual([true, true]);
  });
});
