/**
 * The proof of `proveGate` if no Deployment is gated yet: creates one as a dry run, with the label that the webhook
 * selects. Nothing is stored.
 */
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import type { KubeClient } from '../../../kube/client.ts';
import { deployments } from '../../../kube/resources.ts';
import { GATED } from '../names.ts';
import type { GateProof } from './armed-probe.ts';
import { gateStateOf } from './gate-state.ts';

const NAME = 'lifehook-gate-probe';
const LABELS = { app: NAME };

/** Rejects with the errors of the client. */
export async function proveGateByCreation(
  client: KubeClient,
  namespace: string,
): Promise<GateProof> {
  const answered = await client.create(deployments, probeIn(namespace), {
    dryRun: true,
    fieldManager: NAME,
  });
  const what = 'a new Deployment with the label of the gate, as a dry run,';
  if (gateStateOf(answered).rollout === null) {
    const message = `${what} came back without a rollout number: it would start without its hooks`;
    return { armed: false, reason: 'NotStamped', message };
  }
  if (answered.spec?.paused !== true) {
    return { armed: false, reason: 'NotPaused', message: `${what} came back, but not paused` };
  }
  return { armed: true, reason: 'Armed', message: `${what} came back paused` };
}

function probeIn(namespace: string): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: NAME, namespace, labels: { ...LABELS, [GATED]: 'true' } },
    spec: {
      replicas: 1,
      selector: { matchLabels: { ...LABELS } },
      template: {
        metadata: { labels: { ...LABELS } },
        spec: { containers: [{ name: 'probe', image: 'none' }] },
      },
    },
  };
}
