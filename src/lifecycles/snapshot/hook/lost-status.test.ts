import { describe, expect, it } from 'vitest';

import { failure } from '../../../../test/sim/controller/sim-api.ts';
import { HookBench } from '../../../../test/sim/snapshot/hook-bench.ts';
import { type ExecutionHook, executionHooks, type ExecutionHookStatus } from '../kinds.ts';
import { BEGUN } from '../names.ts';
import { isStatusLost } from './lost-status.ts';

const KEY = { namespace: 'ns', name: 'h' };

async function frozenBench(): Promise<HookBench> {
  const bench = new HookBench();
  bench.makePod('a');
  bench.makePod('b');
  bench.makeHook('h');
  bench.start();
  await bench.eventually('frozen', bench.isFrozen());
  return bench;
}

/** Sets the status through the status subresource, as a user may. */
function setStatus(bench: HookBench, status: ExecutionHookStatus): void {
  const hook = bench.api.get(executionHooks, KEY);
  bench.api.replace(executionHooks, { ...hook, status } as never, 'status');
}

const count = (bench: HookBench, verb: string): number =>
  bench.commands().filter((each) => each.startsWith(verb)).length;

describe('a status that was removed by hand', () => {
  it('is written back by the controller that knows it, and nothing is frozen again', async () => {
    const bench = await frozenBench();
    setStatus(bench, {});
    await bench.eventually('written back', bench.isFrozen(), 5_000);
    const { containerExecutionHookStatuses: _, ...rest } = bench.hook('h')?.status ?? {};
    setStatus(bench, rest);
    await bench.eventually('written back', () => bench.targets().length === 2, 5_000);
    setStatus(bench, {
      ...bench.hook('h')?.status,
      containerExecutionHookStatuses: bench
        .targets()
        .map(({ preActionStatus: __, ...each }) => each),
    });
    await bench.eventually('written back', () => bench.targets()[1]?.preActionStatus !== undefined);
    expect(count(bench, 'freeze')).toBe(2);
    bench.deleteHook('h');
    await bench.eventually('gone', bench.isDeleted());
    expect([count(bench, 'freeze'), count(bench, 'thaw')]).toEqual([2, 2]);
  });

  it('makes the hook fail with the next controller, which thaws everything that it selects', async () => {
    const bench = await frozenBench();
    bench.kill();
    setStatus(bench, {});
    bench.start();
    await bench.eventually('settled', bench.isFree());
    expect([count(bench, 'freeze'), count(bench, 'thaw')]).toEqual([2, 2]);
    expect(bench.hook('h')?.status).toMatchObject({
      preActionSucceed: false,
      postActionSucceed: true,
      release: { cause: 'PreFailed' },
    });
    expect(bench.condition('Failed')).toBe('StatusLost');
    setStatus(bench, {});
    await bench.pass(60_000);
    expect([count(bench, 'freeze'), count(bench, 'thaw')]).toEqual([2, 2]);
    expect(bench.condition('Failed')).toBe('StatusLost');
  });

  it('makes a hook that is being deleted thaw, though it says nothing', async () => {
    const bench = await frozenBench();
    bench.kill();
    setStatus(bench, {});
    bench.deleteHook('h');
    bench.start();
    await bench.eventually('gone', bench.isDeleted());
    expect([count(bench, 'freeze'), count(bench, 'thaw')]).toEqual([2, 2]);
  });

  it('waits with that thaw while another hook has frozen a target', async () => {
    const bench = await frozenBench();
    bench.kill();
    const { metadata, status } = bench.hook('h') ?? {};
    setStatus(bench, {});
    const { finalizers = [], annotations = {} } = metadata ?? {};
    bench.makeHook('other', {}, { finalizers, annotations });
    const other = bench.api.get(executionHooks, { ...KEY, name: 'other' });
    bench.api.replace(executionHooks, { ...other, status } as never, 'status');
    bench.start();
    await bench.pass(20_000);
    expect(count(bench, 'thaw')).toBe(0);
    bench.deleteHook('other');
    await bench.eventually('gone', bench.isDeleted('other'));
    await bench.eventually('settled', bench.isFree());
    expect(bench.condition('Failed')).toBe('StatusLost');
    expect(count(bench, 'thaw')).toBe(4);
  });
});

it('a status that is removed when nothing is left to thaw makes the hook fail, and is no freeze', async () => {
  const bench = await frozenBench();
  bench.kill();
  setStatus(bench, {});
  bench.removePod('a');
  bench.removePod('b');
  bench.start();
  await bench.eventually('refused', bench.hasFailed());
  expect(bench.condition('Failed')).toBe('StatusLost');
  expect(bench.condition('Frozen')).toBeUndefined();
});

it('a hook that is refused before its first record stays so with the next controller', async () => {
  const bench = new HookBench();
  bench.makePod('a');
  bench.makeHook('h', { podContainerNamesList: [{ podName: 'a', containerNames: ['db'] }] });
  const isMarked = (): boolean => bench.hook('h')?.metadata?.annotations?.[BEGUN] !== undefined;
  const quota = failure(403, 'Forbidden', 'exceeded quota');
  bench.api.review = ({ part }) => (part === 'status' ? quota : null);
  bench.start();
  await bench.eventually('marked', isMarked);
  await bench.pass(1_000);
  bench.removePod('a');
  bench.api.review = () => null;
  await bench.eventually('refused', bench.hasFailed());
  const { status } = bench.hook('h') ?? {};
  expect(bench.condition('Failed')).toBe('TargetNotFound');
  bench.start();
  await bench.pass(60_000);
  expect(bench.hook('h')?.status).toEqual(status);
  expect(isMarked()).toBe(false);
  expect(bench.commands()).toEqual([]);
});

describe('isStatusLost', () => {
  const condition = (type: string, reason: string) =>
    ({ type, status: 'True', reason, message: '', lastTransitionTime: '' }) as const;
  const hook = (
    status: ExecutionHookStatus,
    annotations: Record<string, string>,
  ): ExecutionHook => ({
    metadata: { name: 'h', annotations },
    spec: {},
    status,
  });
  const marked = { [BEGUN]: '2026-01-01T00:00:00.000000Z' };
  const refused = (...reasons: string[]): ExecutionHookStatus => ({
    preActionSucceed: false,
    conditions: [
      condition('Frozen', 'StatusLost'),
      ...reasons.map((reason) => condition('Failed', reason)),
    ],
  });

  it.each<[string, ExecutionHook, boolean, boolean]>([
    ['is true where a hook has begun and its status is empty', hook({}, marked), false, true],
    ['is false before a hook begins', hook({}, {}), false, false],
    ['is false while this process stores the beginning', hook({}, marked), true, false],
    [
      'is false once that is known, though nothing was left to thaw',
      hook(refused('StatusLost'), marked),
      false,
      false,
    ],
    [
      'is true where a user wrote another failure into the status',
      hook(refused('NoTarget'), marked),
      false,
      true,
    ],
    ['is true where the failure has no reason', hook(refused(), marked), false, true],
  ])('%s', (...[, found, isMarked, expected]) => {
    expect(isStatusLost(found, isMarked)).toBe(expected);
  });
});

it('a hook whose status was lost reports what is not known, and what runs', async () => {
  const bench = await frozenBench();
  bench.kill();
  setStatus(bench, {});
  bench.start();
  await bench.eventually('settled', bench.isFree());
  const failed = bench.hook('h')?.status?.conditions?.find(({ type }) => type === 'Failed');
  expect(failed?.message).toBe(
    'The status of this hook was removed after it had begun: it is not known whether its targets are frozen. The postAction runs on everything that the hook selects.',
  );
  const [first] = bench.targets();
  expect(first?.preActionStatus).toMatchObject({
    actionSucceed: false,
    error: { message: 'The record of the preAction was removed from the status.' },
    attempts: [
      { outcome: 'Unknown', reason: 'The record of the preAction was removed from the status.' },
    ],
  });
});
