import { describe, expect, it } from 'vitest';

import { HookBench } from '../../../../test/sim/snapshot/hook-bench.ts';
import { noNetworkFaults } from '../../../../test/sim/controller/sim-client.ts';
import { type ExecutionHook, type ExecutionHookStatus, executionHooks } from '../kinds.ts';
import { RELEASE, TAKEN_ON } from '../names.ts';

describe('hooks on one target', () => {
  it('freeze one after the other, and never thaw each other (SNAP-I9)', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.makeHook('first');
    bench.start();
    await bench.eventually('frozen', bench.isFrozen('first'));
    bench.makeHook('second');
    await bench.pass(20_000);
    expect(bench.commands()).toEqual(['freeze a/db']);
    const waits = bench.hook('second')?.status?.conditions?.find(({ type }) => type === 'Frozen');
    expect([waits?.reason, waits?.message.includes('ns/first')]).toEqual(['WaitsForHold', true]);
    bench.deleteHook('first');
    await bench.eventually('frozen', bench.isFrozen('second'), 2_000);
    expect(bench.commands()).toEqual(['freeze a/db', 'thaw a/db', 'freeze a/db']);
  });

  it('do not overlap after a change of the leader, which has only the statuses', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.makeHook('first');
    bench.start();
    await bench.eventually('frozen', bench.isFrozen('first'));
    bench.kill();
    bench.makeHook('second');
    bench.start();
    await bench.pass(20_000);
    expect(bench.commands()).toEqual(['freeze a/db']);
    bench.deleteHook('first');
    await bench.eventually('frozen', bench.isFrozen('second'), 2_000);
    expect(bench.commands()).toEqual(['freeze a/db', 'thaw a/db', 'freeze a/db']);
  });

  it('do not overlap if they are created at once', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    for (const name of ['one', 'two', 'three', 'four']) bench.makeHook(name);
    bench.start();
    await bench.pass(5_000);
    expect(bench.commands()).toEqual(['freeze a/db']);
  });

  it('wait until the release of the one before is durable, although its write fails', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.behaviours.set('thaw', { exitCode: 0, ms: 500 });
    bench.makeHook('first');
    bench.start();
    await bench.eventually('frozen', bench.isFrozen('first'));
    bench.makeHook('second');
    await bench.pass(1_000);
    bench.deleteHook('first');
    await bench.eventually('thaw begun', () => bench.ran.length === 2);
    bench.onWrite = ({ object }) => {
      const isRefused = object.metadata?.name === 'first';
      bench.faults = { ...noNetworkFaults, refused: isRefused ? 1 : 0 };
    };
    await bench.pass(40_000);
    expect(bench.commands()).toEqual(['freeze a/db', 'thaw a/db']);
    bench.onWrite = () => {};
    bench.faults = noNetworkFaults;
    await bench.eventually('frozen', bench.isFrozen('second'));
  });

  it('stop waiting when another leader has thawed the target', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.makeHook('first');
    bench.start();
    await bench.eventually('frozen', bench.isFrozen('first'));
    bench.makeHook('second');
    await bench.pass(1_000);
    bench.onWrite = ({ object }) => {
      if (object.metadata?.name !== 'first') return;
      bench.onWrite = () => {};
      const { resourceVersion: _, ...metadata } = object.metadata;
      const targets = bench
        .targets('first')
        .map((each) => ({ ...each, thawedBy: 'post' as const }));
      const status: ExecutionHookStatus = {
        ...bench.hook('first')?.status,
        release: { cause: 'Human', at: '2026-01-01T00:00:00Z' },
        postActionSucceed: true,
        containerExecutionHookStatuses: targets,
      };
      const thawed: ExecutionHook = { ...(object as ExecutionHook), metadata, status };
      bench.api.replace(executionHooks, thawed, 'status');
    };
    bench.annotate('first', { [RELEASE]: 'Human@now' });
    await bench.eventually('frozen', bench.isFrozen('second'), 2_000);
  });

  it('wait while a thaw is overdue on their node, and only there', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.makePod('b');
    bench.makePod('c', ['db'], { spec: { nodeName: 'node-2', containers: [{ name: 'db' }] } });
    bench.behaviours.set('thaw a/db', { exitCode: 1 });
    const only = (pod: string): object => ({
      podContainerNamesList: [{ podName: pod, containerNames: ['db'] }],
    });
    bench.makeHook('stuck', {
      ...only('a'),
      postAction: { exec: { command: ['thaw'] }, actionTimeoutSeconds: 1 },
    });
    bench.start();
    await bench.eventually('frozen', bench.isFrozen('stuck'));
    bench.deleteHook('stuck');
    await bench.eventually(
      'overdue',
      () => bench.hook('stuck')?.status?.postActionSucceed === false,
    );
    bench.makeHook('same', only('b'));
    bench.makeHook('other', only('c'));
    await bench.eventually('frozen', bench.isFrozen('other'));
    await bench.pass(1_000);
    expect(bench.hook('same')?.status?.preActionSucceed).toBeUndefined();
    bench.annotate('stuck', { [TAKEN_ON]: 'anna' });
    await bench.eventually('frozen', bench.isFrozen('same'), 2_000);
  });

  it('wait until the overdue thaw on their node is recorded, although its write fails', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.makePod('b');
    bench.behaviours.set('thaw', { exitCode: 1 });
    const only = (pod: string): object => ({
      podContainerNamesList: [{ podName: pod, containerNames: ['db'] }],
    });
    const thaw = { exec: { command: ['thaw'] }, actionTimeoutSeconds: 1 };
    bench.makeHook('stuck', { ...only('a'), postAction: thaw });
    bench.start();
    await bench.eventually('frozen', bench.isFrozen('stuck'));
    bench.deleteHook('stuck');
    await bench.eventually('overdue', () => bench.condition('Thawed', 'stuck') === 'ThawOverdue');
    bench.makeHook('same', only('b'));
    await bench.pass(1_000);
    bench.behaviours.delete('thaw');
    const isThaw = (status: ExecutionHookStatus | undefined): boolean =>
      status?.containerExecutionHookStatuses?.[0]?.thawedBy !== undefined;
    bench.onWrite = ({ object }) => {
      const isRefused = isThaw((object as ExecutionHook).status);
      bench.faults = { ...noNetworkFaults, refused: isRefused ? 1 : 0 };
    };
    await bench.pass(400_000);
    expect(bench.commands().filter((each) => each === 'freeze b/db')).toEqual([]);
    bench.onWrite = () => {};
    bench.faults = noNetworkFaults;
    await bench.eventually('frozen', bench.isFrozen('same'), 60_000);
  });
});
