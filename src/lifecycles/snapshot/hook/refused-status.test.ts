import { describe, expect, it } from 'vitest';

import { failure } from '../../../../test/sim/controller/sim-api.ts';
import { HookBench } from '../../../../test/sim/snapshot/hook-bench.ts';
import { events } from '../../../kube/resources.ts';
import { storedBytes } from '../../../kube/stored-size.ts';
import { executionHooks } from '../kinds.ts';
import { HOOK_FINALIZER } from '../names.ts';

const REFUSALS = [
  failure(500, '', 'etcdserver: request is too large'),
  failure(500, 'InternalError', 'failed calling webhook "deny.example.com": connection refused'),
  failure(403, 'Forbidden', 'exceeded quota'),
  failure(422, 'Invalid', 'denied by a webhook'),
  failure(413, 'RequestEntityTooLarge', 'Request entity too large: limit is 3145728'),
];

/** A bench with a frozen hook, whose server refuses its status from then on. */
async function refusedBench(
  refusal: Error = REFUSALS[0] as Error,
): Promise<{ bench: HookBench; end: () => void }> {
  const bench = new HookBench();
  bench.makePod('a', ['one', 'two']);
  bench.makeHook('h');
  bench.start();
  await bench.eventually('frozen', bench.isFrozen());
  bench.api.review = ({ resource, part }) =>
    resource === executionHooks && part === 'status' ? (refusal as never) : null;
  return { bench, end: () => (bench.api.review = () => null) };
}

const thaws = (bench: HookBench): string[] =>
  bench.commands().filter((each) => each.startsWith('thaw'));

describe('a thaw whose record the server refuses', () => {
  it.each(REFUSALS)('runs once all the same, after: $message', async (refusal) => {
    const { bench, end } = await refusedBench(refusal);
    bench.annotate('h', { 'lifehook.dev/release': 'Human@2026-01-01T00:00:00.000000Z' });
    await bench.eventually('thawed', () => thaws(bench).length === 2, 5_000);
    await bench.pass(120_000);
    expect(thaws(bench)).toEqual(['thaw a/two', 'thaw a/one']);
    expect(bench.hook('h')?.status?.release).toBeUndefined();
    expect(bench.hook('h')?.metadata?.finalizers).toEqual([HOOK_FINALIZER]);
    end();
    await bench.eventually('recorded', bench.isFree(), 40_000);
    expect(bench.hook('h')?.status).toMatchObject({
      postActionSucceed: true,
      release: { cause: 'Human' },
    });
    expect(bench.targets().map(({ thawedBy }) => thawedBy)).toEqual(['post', 'post']);
    expect(thaws(bench)).toHaveLength(2);
  });

  it('runs when the hook is deleted, which is removed when it is thawed', async () => {
    const { bench } = await refusedBench();
    bench.deleteHook('h');
    await bench.eventually('gone', bench.isDeleted(), 10_000);
    expect(thaws(bench)).toHaveLength(2);
    expect(bench.events().filter((each) => each.startsWith('StatusRefused'))).toHaveLength(1);
  });

  it('is retried until it succeeds, and counts as overdue meanwhile', async () => {
    const { bench, end } = await refusedBench();
    bench.behaviours.set('thaw', { exitCode: 1 });
    bench.annotate('h', { 'lifehook.dev/release': 'Human' });
    await bench.eventually(
      'overdue',
      () => bench.observed.some(({ type }) => type === 'ThawOverdue'),
      60_000,
    );
    bench.behaviours.delete('thaw');
    await bench.pass(400_000);
    end();
    await bench.eventually('recorded', bench.isFree(), 40_000);
    expect(bench.hook('h')?.status?.postActionSucceed).toBe(false);
  });

  it('is recorded in its smallest form where the server takes no more', async () => {
    const { bench } = await refusedBench();
    const bytes = storedBytes(bench.hook('h') ?? {});
    bench.api.review = ({ resource, object }) =>
      resource === executionHooks && storedBytes(object) > bytes + 1_600
        ? (REFUSALS[0] as never)
        : null;
    bench.behaviours.set('thaw', { exitCode: 1 });
    bench.annotate('h', { 'lifehook.dev/release': 'Human' });
    await bench.eventually('some failed', () => thaws(bench).length > 10);
    bench.behaviours.delete('thaw');
    await bench.eventually('recorded', bench.isFree(), 400_000);
    const [attempts] = bench.targets().map(({ postActionStatus }) => postActionStatus?.attempts);
    expect(attempts).toHaveLength(1);
    expect(attempts?.[0]).not.toHaveProperty('reason');
  });

  it('begins when the finalizer was taken off and the server refuses that too', async () => {
    const { bench } = await refusedBench();
    const key = { namespace: 'ns', name: 'h' };
    bench.api.patch(executionHooks, key, { type: 'merge', body: { metadata: { finalizers: [] } } });
    bench.api.review = ({ resource }) =>
      resource === executionHooks ? (REFUSALS[2] as never) : null;
    await bench.pass(100);
    const other = bench.api.review;
    bench.api.review = () => null;
    bench.annotate('h', { 'lifehook.dev/release': 'Human' });
    bench.api.review = other;
    await bench.eventually('thawed', () => thaws(bench).length === 2, 10_000);
  });
});

it('thaws when a user removed the finalizer and the server does not answer the write that adds it again', async () => {
  const bench = new HookBench();
  bench.makePod('a');
  bench.makeHook('h', { expirationSeconds: 60 });
  bench.start();
  await bench.eventually('frozen', bench.isFrozen());
  bench.api.rules.add(({ verb, resource }) =>
    (verb === 'patch' || verb === 'status') && resource === executionHooks
      ? { kind: 'losesRequest' }
      : null,
  );
  const key = { namespace: 'ns', name: 'h' };
  bench.api.patch(executionHooks, key, { type: 'merge', body: { metadata: { finalizers: [] } } });
  await bench.eventually('thawed', () => thaws(bench).length === 1, 60_000 + 10_000);
});

it('begins no freeze whose record the server refuses', async () => {
  const bench = new HookBench();
  bench.makePod('a');
  bench.api.review = ({ resource, part }) =>
    resource === executionHooks && part === 'status' ? (REFUSALS[2] as never) : null;
  bench.makeHook('h');
  bench.start();
  await bench.pass(60_000);
  expect(bench.commands()).toEqual([]);
  bench.api.review = () => null;
  await bench.eventually('frozen', bench.isFrozen());
  expect(bench.commands()).toEqual(['freeze a/db']);
});

/** The reasons of all Events about the hook, as often as each was emitted. */
const reasons = (bench: HookBench): string[] =>
  bench.api.list(events).flatMap((event) => {
    const { reason, count = 1 } = event as unknown as { reason: string; count?: number };
    return Array.from({ length: count }, () => reason);
  });

describe('the Events of a hook whose status the server refuses', () => {
  it('begin for a freeze once it is recorded', async () => {
    const bench = new HookBench();
    bench.makePod('a');
    bench.makeHook('h');
    bench.start();
    await bench.eventually('freezes', () => bench.commands().length === 1);
    bench.api.review = ({ resource, part }) =>
      resource === executionHooks && part === 'status' ? (REFUSALS[2] as never) : null;
    await bench.pass(20_000);
    expect(reasons(bench)).toEqual([]);
    bench.api.review = () => null;
    await bench.eventually('frozen', bench.isFrozen(), 60_000);
    await bench.pass(1_000);
    expect(reasons(bench)).toEqual(['PreActionSucceeded']);
  });

  it('are emitted for a thaw as it happens, and not once more when it is recorded', async () => {
    const { bench, end } = await refusedBench();
    bench.annotate('h', { 'lifehook.dev/release': 'Human' });
    await bench.eventually('thawed', () => thaws(bench).length === 2, 5_000);
    await bench.pass(1_000);
    const emitted = ['PreActionSucceeded', 'Released', 'StatusRefused', 'Thawed'];
    expect(reasons(bench).toSorted()).toEqual(emitted);
    end();
    await bench.eventually('recorded', bench.isFree(), 40_000);
    await bench.pass(1_000);
    expect(reasons(bench).toSorted()).toEqual(emitted);
  });
});

/** A frozen hook. The server answers no write of its status any more, beginning with the record of the freeze. */
async function unansweredBench(seconds: number | undefined): Promise<HookBench> {
  const bench = new HookBench();
  bench.makePod('a');
  bench.makeHook('h', seconds === undefined ? {} : { expirationSeconds: seconds });
  bench.start();
  await bench.eventually('freezes', () => bench.commands().length === 1);
  bench.api.rules.add(({ verb, resource }) =>
    verb === 'status' && resource === executionHooks ? { kind: 'losesRequest' } : null,
  );
  return bench;
}

describe('a thaw when the server does not answer to the record of the freeze before it', () => {
  it('runs when the hook expires', async () => {
    const bench = await unansweredBench(5);
    await bench.eventually('thawed', () => thaws(bench).length === 1, 5_000 + 4_000);
  });

  it('runs soon after the hook is deleted', async () => {
    const bench = await unansweredBench(undefined);
    bench.deleteHook('h');
    await bench.eventually('thawed', () => thaws(bench).length === 1, 15_000);
  });
});
