/** Creates the guard of a scene on the simulated server. */
import { type SnapshotGuard, snapshotGuards } from '../../../src/lifecycles/snapshot/kinds.ts';
import type { SimApi } from '../controller/sim-api.ts';
import type { GuardPlan } from './guard-scene.ts';
import { infoOf } from './hook-plans.ts';
import { NAMESPACE } from './sim-cluster.ts';

export function setUpGuard(api: SimApi, plan: GuardPlan): void {
  const { name, hooks, cutDeadlineSeconds } = plan;
  const { onFreezeFailure, freezeTimeoutSeconds, holdOpenSeconds } = plan;
  const guard: SnapshotGuard = {
    metadata: { namespace: NAMESPACE, name },
    spec: {
      executionHookInfos: hooks.map(infoOf),
      onFreezeFailure,
      freezeTimeoutSeconds,
      holdOpenSeconds,
      ...(cutDeadlineSeconds === undefined ? {} : { cutDeadlineSeconds }),
    },
  };
  api.create(snapshotGuards, guard);
}
