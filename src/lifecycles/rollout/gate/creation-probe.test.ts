import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { describe, expect, it } from 'vitest';

import { deploymentOf } from '../../../../test/fixtures/rollout-gate/gate-notation.ts';
import { ApiError } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { proveGateByCreation } from './armed-probe.ts';

interface Created {
  readonly object: Deployment;
  readonly options: object;
}

/** A server that answers each creation with this object or error. */
function serverOf(answer: string | Error): { client: KubeClient; created: Created[] } {
  const created: Created[] = [];
  const part = {
    create: async (_: unknown, object: Deployment, options: object) => {
      created.push({ object, options });
      if (answer instanceof Error) throw answer;
      return deploymentOf(answer);
    },
  };
  return { client: part as unknown as KubeClient, created };
}

describe('the proof of the gate by a creation (ROLL-E17, ROLL-E19)', () => {
  const what = 'a dry run of a new Deployment with the label of the gate';

  it.each([
    ['label r1 l0 p', { armed: true, reason: 'Armed', message: `${what} returned it paused` }],
    [
      'label r1 l0',
      { armed: false, reason: 'NotPaused', message: `${what} returned it, but not paused` },
    ],
    [
      'label p',
      {
        armed: false,
        reason: 'NotStamped',
        message: `${what} returned it without a rollout number: it would start without its hooks`,
      },
    ],
  ])('judges the answer: %s', async (answer, proof) => {
    expect(await proveGateByCreation(serverOf(answer).client, 'shop')).toEqual(proof);
  });

  it('creates a labelled Deployment as a dry run, so that nothing is stored', async () => {
    const { client, created } = serverOf('label r1 l0 p');
    await proveGateByCreation(client, 'shop');
    const name = 'lifehook-gate-probe';
    const app = { app: name };
    const containers = [{ name: 'probe', image: 'none' }];
    const metadata = { name, namespace: 'shop', labels: { ...app, 'lifehook.dev/gated': 'true' } };
    const template = { metadata: { labels: app }, spec: { containers } };
    const spec = { replicas: 1, selector: { matchLabels: app }, template };
    expect(created).toEqual([
      {
        object: { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec },
        options: { dryRun: true, fieldManager: name },
      },
    ]);
  });

  it('rejects where the server refuses it', async () => {
    const refusal = new ApiError(403, { reason: 'Forbidden' });
    await expect(proveGateByCreation(serverOf(refusal).client, 'shop')).rejects.toBe(refusal);
  });
});
