import { describe, expect, it } from 'vitest';

import { HookBench } from '../../../../test/sim/snapshot/hook-bench.ts';
import { executionHooks, type ExecutionHookSpec } from '../kinds.ts';

const PATIENT = { preAction: { exec: { command: ['freeze'] }, actionTimeoutSeconds: 10 } };
const NAMED = { podContainerNamesList: [{ podName: 'a', containerNames: ['db'] }] };

function benchWith(spec: Partial<ExecutionHookSpec>, owner: object = {}): HookBench {
  const bench = new HookBench();
  bench.makeHook('h', { ...PATIENT, ...spec }, owner);
  bench.start();
  return bench;
}

function makeStarting(bench: HookBench, name: string): void {
  bench.makePod(name);
  bench.changePod(name, ({ status }) => {
    if (status === undefined) return;
    status.phase = 'Pending';
    for (const each of status.containerStatuses ?? []) each.state = { waiting: {} };
  });
}

function run(bench: HookBench, name: string): void {
  bench.changePod(name, ({ status }) => {
    if (status === undefined) return;
    status.phase = 'Running';
    for (const each of status.containerStatuses ?? []) each.state = { running: {} };
  });
}

describe('a hook whose spec is changed while it waits for its pod', () => {
  it('runs nothing of it, since the rights of its author were not reviewed', async () => {
    const bench = benchWith({});
    await bench.eventually('waits', () => bench.condition('Frozen') === 'NoTarget');
    const body = { spec: { preAction: { exec: { command: ['other'] } } } };
    bench.api.patch(executionHooks, { namespace: 'ns', name: 'h' }, { type: 'merge', body });
    bench.makePod('a');
    await bench.eventually('failed', bench.hasFailed(), 3_000);
    expect([bench.condition('Failed'), bench.ran]).toEqual(['SpecChanged', []]);
  });
});

describe('a hook whose thaw goes to a host that is not allowed', () => {
  it('is refused before its freeze runs', async () => {
    const bench = benchWith({ postAction: { httpGet: { host: 'db.shop.svc', port: 80 } } });
    bench.makePod('a');
    await bench.eventually('failed', bench.hasFailed(), 3_000);
    expect([bench.condition('Failed'), bench.ran]).toEqual(['HostNotAllowed', []]);
  });
});

describe('a hook that is created together with its pod', () => {
  it.each([
    ['by a selector', {}, 'NoTarget'],
    ['by name', NAMED, 'TargetNotFound'],
  ])('waits for a pod selected %s, and freezes it as soon as it runs', async (_, spec, reason) => {
    const bench = benchWith(spec);
    await bench.eventually('waits', () => bench.condition('Frozen') === reason);
    await bench.pass(3_000);
    expect([bench.ran, bench.hook('h')?.metadata?.finalizers]).toEqual([[], undefined]);
    makeStarting(bench, 'a');
    await bench.pass(3_000);
    expect(bench.ran).toEqual([]);
    run(bench, 'a');
    await bench.eventually('frozen', bench.isFrozen(), 1_000);
    expect(bench.commands()).toEqual(['freeze a/db']);
  });

  it.each([
    ['NoTarget', {}],
    ['TargetNotFound', NAMED],
  ])('fails with %s when no pod has come by the timeout of its preAction', async (reason, spec) => {
    const bench = benchWith(spec);
    await bench.pass(9_000);
    expect(bench.hook('h')?.status?.preActionSucceed).toBeUndefined();
    await bench.eventually('failed', bench.hasFailed(), 3_000);
    expect(bench.condition('Failed')).toBe(reason);
    const failed = bench.hook('h')?.status?.conditions?.find(({ type }) => type === 'Failed');
    expect(failed?.message).toContain('has waited for 10 s');
    bench.makePod('a');
    await bench.pass(30_000);
    expect(bench.ran).toEqual([]);
  });

  it('waits for the pods that are starting besides those that run', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    makeStarting(bench, 'b');
    bench.makeHook('h', PATIENT);
    bench.start();
    await bench.eventually('waits', () => bench.condition('Frozen') === 'TargetsStarting');
    run(bench, 'b');
    await bench.eventually('frozen', bench.isFrozen(), 1_000);
    expect(bench.commands().toSorted()).toEqual(['freeze a/db', 'freeze b/db']);
  });

  it('freezes those that run when the others have not started in time', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    makeStarting(bench, 'b');
    bench.makeHook('h', PATIENT);
    bench.start();
    await bench.eventually('frozen', bench.isFrozen(), 12_000);
    expect(bench.commands()).toEqual(['freeze a/db']);
  });

  it('with onNoTarget Ignore succeeds at once without pods, and waits for one that is starting', async () => {
    const none = benchWith({ onNoTarget: 'Ignore' });
    await none.eventually('succeeded', none.isFrozen(), 1_000);
    const some = new HookBench();
    makeStarting(some, 'a');
    some.makeHook('h', { ...PATIENT, onNoTarget: 'Ignore' });
    some.start();
    await some.eventually('waits', () => some.condition('Frozen') === 'TargetsStarting');
    run(some, 'a');
    await some.eventually('frozen', some.isFrozen(), 1_000);
    expect(some.commands()).toEqual(['freeze a/db']);
  });

  it('of a snapshot does not wait, since other hooks may be frozen already', async () => {
    const owner = {
      apiVersion: 'lifehook.dev/v1alpha1',
      kind: 'ApplicationSnapshot',
      name: 's',
      uid: 'u',
    };
    const bench = benchWith(NAMED, { ownerReferences: [owner] });
    await bench.eventually('failed', bench.hasFailed(), 1_000);
    expect(bench.condition('Failed')).toBe('TargetNotFound');
  });

  it('does not wait for a container that its pod does not have', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.makeHook('h', {
      ...PATIENT,
      podContainerNamesList: [{ podName: 'a', containerNames: ['other'] }],
    });
    bench.start();
    await bench.eventually('failed', bench.hasFailed(), 1_000);
    expect(bench.condition('Failed')).toBe('TargetNotRunning');
  });
});
