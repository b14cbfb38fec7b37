import { expect, it } from 'vitest';

import { deploymentOf } from '../../../../test/fixtures/rollout-gate/gate-notation.ts';
import { ApiError } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import type { RolloutContext } from '../context.ts';
import type { RolloutEvent } from '../rollout-event.ts';
import type { RolloutCaches } from './caches.ts';
import { GateProofs } from './gate-proofs.ts';

const deployment = deploymentOf('label r4 l4');
const stamped = deploymentOf('label r5 l4 p');
const conflict = new ApiError(409, { reason: 'Conflict', message: 'it has changed' });

/** Answers every dry run in the same way. */
function clientOf(answer: () => unknown): KubeClient {
  const part = { get: async () => deployment, patch: async () => answer() };
  return part as unknown as KubeClient;
}

it('a proof that other writers prevent leaves the verdict before it, and is reported to nobody', async () => {
  const observed: RolloutEvent[] = [];
  const observe = (event: RolloutEvent): void => {
    observed.push(event);
  };
  const caches = {
    lifecyclesOf: () => [],
    deployment: () => deployment,
    lifecycles: { list: () => [] },
  };
  const proofs = new GateProofs(
    { observe, prove: () => '' } as unknown as RolloutContext,
    caches as unknown as RolloutCaches,
  );
  const busy = clientOf(() => {
    throw conflict;
  });
  expect(await proofs.prove(busy, deployment)).toBe(false);
  expect(proofs.of('x/web')).toBeNull();
  expect(
    await proofs.prove(
      clientOf(() => stamped),
      deployment,
    ),
  ).toBe(true);
  expect(await proofs.prove(busy, deployment)).toBe(false);
  expect(proofs.of('x/web')).toMatchObject({ armed: true, reason: 'Armed' });
  expect(observed).toHaveLength(1);
});
