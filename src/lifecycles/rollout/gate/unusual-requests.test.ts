import { describe, expect, it } from 'vitest';

import { deploymentOf } from '../../../../test/fixtures/rollout-gate/gate-notation.ts';
import { type AdmissionRequest, ALLOWED } from '../../../controller/admission/admission-review.ts';
import type { JsonObject } from '../../../kube/object.ts';
import { WRITE_PROOF } from '../names.ts';
import { isAuthoredWith, proveAuthorWith } from './review-authors.ts';
import { GATE_PATHS } from './gate-configurations.ts';
import { gateRoutes } from './gate-routes.ts';
import type { GateLookups } from './lookups.ts';
import { isProvenWith } from './write-proof.ts';

const KEY = 'k'.repeat(32);
const unread = (): never => {
  throw new Error('the gate reads nothing for this request');
};
const lookups: GateLookups = {
  incumbent: unread,
  deployment: unread,
  gatedDeployment: unread,
  isNamed: unread,
  replicaSet: unread,
  gatedOwners: unread,
};
const routes = gateRoutes({
  isProven: isProvenWith(KEY),
  lookups,
  authors: {
    ask: async () => null,
    proveAuthor: proveAuthorWith(KEY),
    isAuthored: isAuthoredWith(KEY),
  },
});
const request: AdmissionRequest = {
  uid: '1',
  kind: { group: 'apps', kind: 'Deployment' },
  namespace: 'x',
  name: 'web',
  operation: 'CREATE',
  object: null,
};
const { signal } = new AbortController();

describe('the gate', () => {
  it('admits the creation of a Deployment with a copied proof, which proves no creation (ROLL-G5)', async () => {
    const object = deploymentOf(`label ${WRITE_PROOF}=${'0'.repeat(64)}`) as unknown as JsonObject;
    expect(await routes[GATE_PATHS.mutate]?.({ ...request, object }, signal)).toMatchObject({
      allowed: true,
    });
  });

  it('admits an object that is neither a ReplicaSet nor its scale', async () => {
    const object = deploymentOf('label') as unknown as JsonObject;
    expect(await routes[GATE_PATHS.sets]?.({ ...request, object }, signal)).toEqual(ALLOWED);
  });
});
