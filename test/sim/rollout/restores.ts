/** Restores the server of a rollout simulation to a backup. The pods are not restored: they stay as on the nodes. */
import { namespaces, pods } from '../../../src/kube/resources.ts';
import { restoreServer } from '../controller/restores.ts';
import type { Struck } from './strikes.ts';

export function strikeRestore(struck: Struck): void {
  const { workloads, replicas, judge, hands, api } = struck;
  if (api.isRestoring) return;
  const restoreOlder = judge.gate.keep();
  const { wanted } = hands;
  const forgetRestore = api.onRestore(() => {
    forgetRestore();
    restoreOlder();
    hands.wanted = wanted;
    judge.forgetPods();
    workloads.start();
  });
  restoreServer({
    ...struck,
    kept: [pods, namespaces],
    cutOff: (ms) => {
      workloads.kill();
      for (const each of replicas) each?.host.cutOffFor(ms);
    },
    onCalledOff: () => {
      workloads.start();
    },
  });
}
