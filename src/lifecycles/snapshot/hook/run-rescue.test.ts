/** A pod that already has the name of the rescue pod: of an earlier process, or of another client. */
import type { Pod } from 'kubernetes-types/core/v1.js';
import { expect, it } from 'vitest';

import { actions, target } from '../../../../test/sim/snapshot/hook-facts.ts';
import { SimBench } from '../../../../test/sim/controller/sim-bench.ts';
import { neverCancelled } from '../../../engine/act.ts';
import { pods } from '../../../kube/resources.ts';
import type { Order } from './decide.ts';
import { rescuePod } from './rescue-pod.ts';
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
  const { client } = bench;
  const world = {
    context: { client, platform: bench.host },
    namespace: 'ns',
    hookName: 'nightly',
    hookUid: 'uid-h',
    resolved: actions(),
    signal: neverCancelled,
  };
  const order = { target: frozen, timeoutMs: 5_000 };
  const acted = await bench.until(
    runRescue(order as unknown as Order, world as unknown as AttemptWorld),
  );
  return { ...acted, left: bench.api.list(pods).length };
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
