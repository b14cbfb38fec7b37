import { describe, expect, it } from 'vitest';

import { HookBench } from '../../../../test/sim/snapshot/hook-bench.ts';
import { executionHookTemplates } from '../kinds.ts';
import { CUT_RELEASE, HOOK_FINALIZER, RELEASE } from '../names.ts';

describe('a hook', () => {
  it('freezes what it selects, and thaws it when it is deleted (SNAP-R13, SNAP-R16, SNAP-R20)', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.makePod('b');
    bench.makeHook('h');
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    expect(bench.commands()).toEqual(['freeze a/db', 'freeze b/db']);
    expect(bench.hook('h')?.metadata?.finalizers).toEqual([HOOK_FINALIZER]);
    await bench.pass(60_000);
    expect(bench.ran).toHaveLength(2);
    bench.deleteHook('h');
    await bench.eventually('gone', bench.isDeleted());
    expect(bench.commands().slice(2)).toEqual(['thaw a/db', 'thaw b/db']);
    expect(bench.ran.map(({ pool }) => pool).slice(1, 3)).toEqual(['freezing', 'thawing']);
    await bench.pass(1_000);
    expect(bench.events().map((each) => each.replace(/:.*/, ''))).toEqual([
      'PreActionSucceeded',
      'Released',
      'Thawed',
    ]);
  });

  it('needs three writes to freeze, and one from the cut to the thaw', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.makeHook('h');
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    // Two versions are creations. The hook is written for the finalizer, the intents and the outcomes; an Event takes a
    // version too.
    expect(Number(bench.hook('h')?.metadata?.resourceVersion) - 2).toBeLessThanOrEqual(4);
    await bench.pass(1_000);
    const before = bench.api.history.length;
    bench.annotate('h', { [CUT_RELEASE]: 'ab12@2026-01-01T00:00:00.000000Z' });
    await bench.eventually('thaw begun', () => bench.ran.length === 2);
    const hooks = bench.api.history
      .slice(before)
      .filter(({ object }) => object.kind === 'ExecutionHook');
    expect(hooks).toHaveLength(2);
    await bench.eventually('settled', bench.isFree());
    expect(bench.hook('h')?.status).toMatchObject({
      release: { cause: 'Cut' },
      postActionSucceed: true,
    });
  });

  it('without a postAction is released at once (SNAP-R19, SNAP-CASE15)', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.makeTemplate('t', { preAction: { exec: { command: ['freeze'] } } });
    bench.makeHook('h', { executionHookTemplateName: 't' });
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    bench.annotate('h', { [RELEASE]: 'Human@now' });
    await bench.eventually('settled', bench.isFree());
    expect([bench.hook('h')?.status?.postActionSucceed, bench.commands()]).toEqual([
      true,
      ['freeze a/db'],
    ]);
  });

  it('keeps the actions of its template although that is deleted (SNAP-G1, SNAP-I10)', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    const actions = {
      preAction: { exec: { command: ['freeze'] } },
      postAction: { exec: { command: ['thaw'] } },
    };
    bench.makeTemplate('t', actions);
    bench.makeHook('h', { executionHookTemplateName: 't' });
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    bench.api.delete(executionHookTemplates, { namespace: 'ns', name: 't' }, {});
    bench.makePod('b');
    bench.deleteHook('h');
    await bench.eventually('gone', bench.isDeleted());
    expect(bench.commands()).toEqual(['freeze a/db', 'thaw a/db']);
  });

  it('that is deleted before its first command is released (SNAP-CASE18, SNAP-I4)', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.makeHook('h', {}, { finalizers: [HOOK_FINALIZER] });
    bench.deleteHook('h');
    bench.start();
    await bench.eventually('gone', bench.isDeleted());
    expect(bench.ran).toEqual([]);
  });

  it('freezes the containers of a pod in order, and thaws them in reverse (SNAP-G18)', async () => {
    const bench = new HookBench();
    bench.makePod('a', ['one', 'two', 'three']);
    bench.makeHook('h');
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    bench.deleteHook('h');
    await bench.eventually('gone', bench.isDeleted());
    expect(bench.commands()).toEqual([
      'freeze a/one',
      'freeze a/two',
      'freeze a/three',
      'thaw a/three',
      'thaw a/two',
      'thaw a/one',
    ]);
  });

  it('fails at once if it cannot run, and runs no command (SNAP-R3, SNAP-CASE1, SNAP-CASE46)', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.makeNode('node-1', 'Unknown');
    bench.makeHook('no-targets', { podSelector: undefined } as object);
    bench.makeHook('lost-node', {
      podContainerNamesList: [{ podName: 'a', containerNames: ['db'] }],
    });
    bench.makeHook('not-there', {
      podContainerNamesList: [{ podName: 'a', containerNames: ['other'] }],
    });
    bench.makeHook('not-valid', { expirationSeconds: 0 });
    bench.start();
    const names = ['no-targets', 'lost-node', 'not-there', 'not-valid'];
    for (const name of names) {
      await bench.eventually(`${name} has failed`, bench.hasFailed(name), 1_000);
    }
    const reasons = names.map((name) => bench.hook(name)?.status?.conditions?.[0]?.reason);
    expect(reasons).toEqual(['Invalid', 'NodeNotReady', 'TargetNotRunning', 'Invalid']);
    expect(bench.hook('lost-node')?.metadata?.finalizers).toBeUndefined();
    expect(bench.ran).toEqual([]);
  });

  it('waits for pods until its timeout, and then fails if it selects none (SNAP-CASE4, SNAP-I19)', async () => {
    const bench = new HookBench();
    bench.makeHook('h');
    bench.start();
    await bench.pass(29_000);
    expect(bench.hasFailed()()).toBe(false);
    await bench.eventually('failed', bench.hasFailed(), 2_000);
    expect(bench.condition('Failed')).toBe('NoTarget');
  });

  it('with ExecuteOnce runs in the first ready pod, and in no other after its deletion (SNAP-G6, SNAP-CASE9)', async () => {
    const bench = new HookBench();
    for (const name of ['a', 'b', 'c']) bench.makePod(name, ['db', 'log']);
    bench.changePod('a', ({ status }) => {
      if (status !== undefined) status.conditions = [{ type: 'Ready', status: 'False' }];
    });
    bench.makeHook('h', { policy: 'ExecuteOnce' });
    bench.start();
    await bench.eventually('frozen', bench.isFrozen());
    expect(bench.targets().map(({ podName }) => podName)).toEqual(['b', 'b']);
    bench.removePod('b');
    await bench.eventually('settled', bench.isFree());
    expect(bench.hook('h')?.status?.release?.cause).toBe('Broken');
    expect(bench.targets().map(({ thawedBy }) => thawedBy)).toEqual(['gone', 'gone']);
    expect(bench.commands()).toEqual(['freeze b/db', 'freeze b/log']);
  });
});
