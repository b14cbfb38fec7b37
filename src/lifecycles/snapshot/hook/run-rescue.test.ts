/** A pod that already has the name of the rescue pod: of an earlier process, or of another client. */
import type { Pod } from 'kubernetes-types/core/v1.js';
import { expect, it } from 'vitest';

import { actions, target } from '../../../../test/sim/snapshot/hook-facts.ts';
import { failure } from '../../../../test/sim/controller/sim-api.ts';
import { SimBench } from '../../../../test/sim/controller/sim-bench.ts';
import { neverCancelled } from '../../../engine/act.ts';
import { pods } from '../../../kube/resources.ts';
import type { Order } from './decide.ts';
import { rescuePod } from './rescue-pod.ts';
import type { Acted } from './run-action.ts';
import type { AttemptWorld } from './run-attempt.ts';
import { runRescue } from './run-rescue.ts';

const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
const rescue = { volumes, container: { image: 'db:1' } };
const frozen = target('a/db', { rescue });
const hook = { namespace: 'ns', name: 'nightly', uid: 'uid-h' };
const wanted = rescuePod({ hook, target: frozen, resolved: actions(), timeoutMs: 5_000 });
const succeeded = { phase: 'Succeeded' };

/** Runs a thaw while this pod exists; a later pod may replace it. Returns the result and the pods that are left. */
async function thawNextTo(found: Pod, later?: Pod) {
  const bench = new SimBench();
  bench.api.create(pods, found);
  if (later !== undefined) {
    bench.world.after(700, () => {
      bench.api.delete(pods, { namespace: 'ns', name: wanted.metadata?.name ?? '' }, {});
      bench.api.create(pods, later);
    });
  }
  const acted = await run(bench, { timeoutMs: 5_000, signal: neverCancelled });
  return { ...acted, left: bench.api.list(pods).length };
}

function run(
  bench: SimBench,
  { timeoutMs, signal }: Pick<Order, 'timeoutMs'> & Pick<AttemptWorld, 'signal'>,
): Promise<Acted> {
  const { client } = bench;
  const world = {
    context: { client, platform: bench.host },
    namespace: 'ns',
    hookName: 'nightly',
    hookUid: 'uid-h',
    resolved: actions(),
    signal,
  };
  const order = { target: frozen, timeoutMs };
  return bench.until(runRescue(order as unknown as Order, world as unknown as AttemptWorld));
}

it('reuses the pod of an earlier process that has run the same thaw (SNAP-I24)', async () => {
  const { result, left } = await thawNextTo({ ...wanted, status: succeeded });
  expect([result.outcome, left]).toEqual(['Succeeded', 0]);
});

it('deletes a pod of its name that has run something else, and has thawed nothing (SNAP-I24)', async () => {
  const containers = [{ name: 'thaw', image: 'db:1', command: ['true'] }];
  const spec = { ...wanted.spec, containers };
  const { result, notStarted, left } = await thawNextTo({ ...wanted, spec, status: succeeded });
  expect([result.outcome, notStarted, left]).toEqual(['Failed', 'Unreached', 0]);
});

it('leaves a pod of its name that is not of the hook alone (SNAP-I24)', async () => {
  const { ownerReferences: _, ...metadata } = wanted.metadata ?? {};
  const { result, left } = await thawNextTo({ ...wanted, metadata, status: succeeded });
  expect([result.outcome, left]).toEqual(['Failed', 1]);
});

it('takes no end of a later pod of its name for the thaw, and leaves it alone (SNAP-I24)', async () => {
  const { result, left } = await thawNextTo(wanted, { ...wanted, status: succeeded });
  expect([result.outcome, left]).toEqual(['Failed', 1]);
  expect(result.reason).toContain('was deleted before it had ended');
});

const ended = (name: string, exitCode: number) => ({ name, state: { terminated: { exitCode } } });
const sidecar = { name: 'proxy', state: { running: {} } };

it.each([
  ['succeeded', 'Running', [sidecar, ended('thaw', 0)], 'Succeeded', 0],
  ['failed', 'Running', [sidecar, ended('thaw', 3)], 'Failed', 3],
  ['succeeded', 'Failed', [ended('proxy', 143), ended('thaw', 0)], 'Succeeded', 0],
] as const)(
  'takes the outcome of its own container for the thaw, which has %s, in a %s pod with a sidecar (SNAP-I24)',
  async (...[, phase, containerStatuses, outcome, exitCode]) => {
    const status = { phase, containerStatuses };
    const { result } = await thawNextTo({ ...wanted, status } as unknown as Pod);
    expect([result.outcome, result.exitCode]).toEqual([outcome, exitCode]);
  },
);

it('creates no pod for a thaw that was cancelled or ran out of time while it waited (SNAP-I9)', async () => {
  for (const [given, outcome] of [
    [{ timeoutMs: 5_000, signal: AbortSignal.abort() }, 'Cancelled'],
    [{ timeoutMs: 0, signal: neverCancelled }, 'TimedOut'],
  ] as const) {
    const bench = new SimBench();
    let created = 0;
    bench.api.onCommit(() => (created += 1));
    const { result, notStarted } = await run(bench, given);
    expect([result.outcome, notStarted, created]).toEqual([outcome, 'Unreached', 0]);
  }
});

it.each([
  ['exceeded quota: pods, requested: pods=1, used: pods=9, limited: pods=9', 'Unreached'],
  ['pods is forbidden: User "lifehook" cannot create resource "pods"', 'Denied'],
])(
  'retries a thaw whose pod a quota refuses, and no other that is forbidden: %s',
  async (...of) => {
    const [message, notStarted] = of;
    const bench = new SimBench();
    bench.api.create = () => {
      throw failure(403, 'Forbidden', message);
    };
    const acted = await run(bench, { timeoutMs: 5_000, signal: neverCancelled });
    expect([acted.result.outcome, acted.notStarted]).toEqual(['Failed', notStarted]);
  },
);
