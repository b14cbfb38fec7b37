import { describe, expect, it } from 'vitest';

import { HookBench } from '../../../../test/sim/snapshot/hook-bench.ts';
import { CUT_RELEASE, HOOK_FINALIZER, RELEASE, TAKEN_ON } from '../names.ts';

describe('a thaw', () => {
  it('that fails in one target runs at once in all others, and is retried there (SNAP-CASE16, SNAP-I15, SNAP-G15)', async () => {
    const bench = new HookBench();
    bench.makePod('a', ['one', 'two', 'three']);
    bench.makePod('b');
    bench.behaviours.set('thaw a/three', 'hangs');
    bench.makeHook('h', {
      postAction: { exec: { command: ['thaw'] }, actionTimeoutSeconds: 6 },
    });
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    const askedMs = bench.world.elapsedMs;
    bench.deleteHook('h');
    await bench.eventually(
      'post is false',
      () => bench.hook('h')?.status?.postActionSucceed === false,
    );
    const late = bench.ran
      .filter(({ command }) => command === 'thaw')
      .map(({ atMs }) => atMs - askedMs);
    expect(Math.max(...late)).toBeLessThan(2_500);
    expect(bench.targets().map(({ thawedBy }) => thawedBy)).toEqual([
      'post',
      'post',
      undefined,
      'post',
    ]);
    expect(bench.condition('Thawed')).toBe('ThawOverdue');
    await bench.pass(1_000);
    expect(bench.events().filter((each) => each.startsWith('PostActionFailed'))[0]).toContain(
      'three in pod a',
    );
    await bench.pass(120_000);
    expect(bench.hook('h')?.metadata?.finalizers).toEqual([HOOK_FINALIZER]);
    bench.behaviours.delete('thaw a/three');
    await bench.eventually('gone', bench.isDeleted(), 400_000);
    const reported = bench.api.history
      .filter(({ object }) => object.kind === 'ExecutionHook')
      .at(-1)?.object;
    expect(JSON.stringify(reported?.status)).toContain('"postActionSucceed":false');
  });

  it('that always fails can be marked as done by hand (SNAP-G15)', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.behaviours.set('thaw', { exitCode: 1 });
    bench.makeHook('h', { postAction: { exec: { command: ['thaw'] }, actionTimeoutSeconds: 1 } });
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    bench.deleteHook('h');
    await bench.pass(30_000);
    bench.annotate('h', { [TAKEN_ON]: 'anna' });
    await bench.eventually('gone', bench.isDeleted());
  });

  it('is retried at once by a controller that does not know its outcome (SNAP-G25, SNAP-I1)', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.behaviours.set('thaw', { exitCode: 0, ms: 500 });
    bench.makeHook('h');
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    bench.deleteHook('h');
    await bench.eventually('thaw begun', () => bench.ran.length === 2);
    bench.start();
    await bench.eventually('gone', bench.isDeleted());
    expect(bench.commands()).toEqual(['freeze a/db', 'thaw a/db', 'thaw a/db']);
  });

  it('runs in a restarted container, but not in a recreated pod (SNAP-CASE36)', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.makePod('b');
    bench.makeHook('h');
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    bench.removePod('b');
    bench.makePod('b');
    bench.restartContainer('a', 'db');
    await bench.eventually('settled', bench.isFree());
    expect(bench.commands().slice(2)).toEqual(['thaw a/db']);
    const [a, b] = bench.targets();
    expect([a?.thawedBy, b?.thawedBy]).toEqual(['post', 'gone']);
    expect([a?.freezeLost?.reason, b?.freezeLost?.reason].map((each) => each?.slice(0, 9))).toEqual(
      ['the conta', 'the pod b'],
    );
    expect(bench.events().some((each) => each.startsWith('TargetGone'))).toBe(true);
  });
});

describe('a controller that is killed', () => {
  it('at any write leaves nothing frozen (SNAP-I1, SNAP-I13, SNAP-G25)', async () => {
    for (let killAt = 1; killAt <= 8; killAt += 1) {
      const bench = new HookBench();
      bench.makePod('a');
      bench.makePod('b', ['db', 'log']);
      bench.makeHook('h', { expirationSeconds: 60 });
      bench.onWrite = () => {
        if (bench.writes !== killAt) return;
        bench.kill();
        bench.world.after(500, () => bench.start());
      };
      bench.start();
      const decided = (): boolean => bench.hook('h')?.status?.preActionSucceed !== undefined;
      await bench.eventually(`decided after a kill at write ${killAt}`, decided);
      bench.annotate('h', { [RELEASE]: 'Human@now' });
      await bench.eventually('settled', bench.isFree());
      const issued = bench
        .targets()
        .filter(({ preActionStatus }) => preActionStatus?.actionTimestamp !== undefined);
      const begun = new Set(
        bench.ran.filter(({ command }) => command === 'freeze').map(({ place }) => place),
      );
      const thawed = new Set(
        bench.ran.filter(({ command }) => command === 'thaw').map(({ place }) => place),
      );
      for (const place of begun)
        expect([killAt, place, thawed.has(place)]).toEqual([killAt, place, true]);
      expect(issued.length).toBeGreaterThanOrEqual(begun.size);
    }
  });

  it.each([
    { answer: 'Frozen', exitCode: 0 },
    { answer: 'NotFrozen', exitCode: 1 },
  ])(
    'between the cut and the answer of a probe leaves the probe to the next, which records $answer',
    async ({ answer, exitCode }) => {
      const bench = new HookBench();
      bench.makePod('a');
      bench.makeHook('h', { probe: { exec: { command: ['probe'] } } });
      bench.start();
      await bench.eventually('frozen', bench.isFrozen());
      bench.behaviours.set('probe', { exitCode: 0, ms: 300 });
      bench.annotate('h', { [CUT_RELEASE]: 'ab12@2026-01-01T00:00:00.000000Z' });
      await bench.eventually('asked', () => bench.ran.length === 3);
      bench.behaviours.set('probe', { exitCode });
      bench.start();
      await bench.eventually('settled', bench.isFree());
      expect(bench.commands()).toEqual(
        ['freeze', 'probe', 'probe', 'probe', 'thaw'].map((command) => `${command} a/db`),
      );
      const asked = bench.targets()[0]?.probes?.filter(({ when }) => when === 'AfterCut');
      expect(asked?.map(({ outcome }) => outcome)).toEqual([answer]);
    },
  );

  it('between the intent and the outcome of a freeze makes it Unknown, and the hook fails', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.behaviours.set('freeze', { exitCode: 0, ms: 300 });
    bench.makeHook('h');
    bench.start();
    await bench.eventually('freeze begun', () => bench.ran.length === 1);
    bench.start();
    await bench.eventually('failed', bench.hasFailed());
    await bench.eventually('settled', bench.isFree());
    expect(bench.commands()).toEqual(['freeze a/db', 'thaw a/db']);
    expect(bench.targets()[0]?.preActionStatus?.attempts?.[0]?.outcome).toBe('Unknown');
  });
});
