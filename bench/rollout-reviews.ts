/**
 * The reviews that an API server sends to the gate for a new template and for a new Deployment with the label. Dry runs
 * on the server produce the objects, so that the validating webhook gets the output of the mutating one.
 */
import { randomUUID } from 'node:crypto';
import type { Deployment } from 'kubernetes-types/apps/v1.js';

import type { JsonObject } from '../src/kube/object.ts';
import { deployments } from '../src/kube/resources.ts';
import { GATED } from '../src/lifecycles/rollout/names.ts';
import { eventually } from '../test/fixtures/api-cases/eventually.ts';
import { caseDeployment } from '../test/fixtures/rollout-cases/case-manifests.ts';
import type { RolloutCluster } from './rollout-cluster.ts';

export interface Asked {
  readonly name: 'update' | 'create';
  readonly mutating: AskedOf;
  readonly validating: AskedOf;
}

export interface AskedOf {
  readonly operation: 'CREATE' | 'UPDATE';
  readonly object: Deployment;
  readonly old: Deployment | null;
  /** Absent or '': the object itself. */
  readonly subResource?: string;
}

/** A Deployment without pods, because no rollout is measured here. */
function manifest(namespace: string, name: string, gated: boolean): Deployment {
  const made = caseDeployment(namespace, { replicas: 0 });
  const labels: Record<string, string> = gated ? { [GATED]: 'true' } : {};
  return { ...made, metadata: { namespace, name, labels } };
}

/** Prepares the reviews. It leaves two Deployments: `gated` with the label and `free` without it. */
export async function prepareReviews({
  client,
  namespace,
}: RolloutCluster): Promise<readonly Asked[]> {
  const created = manifest(namespace, 'created', true);
  const stamped = await eventually('the gate is asked', async () => {
    const made = await client.create(deployments, created, { dryRun: true });
    return made.spec?.paused === true ? made : null;
  });
  await client.create(deployments, manifest(namespace, 'free', false));
  await client.create(deployments, manifest(namespace, 'gated', true));
  const key = { namespace, name: 'gated' };
  // The Deployment has no lifecycle, so the controller releases it after 5 s.
  const old = await eventually('it is let go', async () => {
    const seen = await client.get(deployments, key);
    return seen.spec?.paused === true ? null : seen;
  });
  const template = { metadata: { annotations: { version: 't2' } } };
  const body = { spec: { template } };
  const after = await client.patch(deployments, key, { type: 'merge', body, dryRun: true });
  const before = { ...old, spec: { ...old.spec, template: after.spec?.template } } as Deployment;
  const [update, create] = [{ operation: 'UPDATE' } as const, { operation: 'CREATE' } as const];
  return [
    {
      name: 'update',
      mutating: { ...update, object: before, old },
      validating: { ...update, object: after, old },
    },
    {
      name: 'create',
      mutating: { ...create, object: { ...stamped, ...created }, old: null },
      validating: { ...create, object: stamped, old: null },
    },
  ];
}

export function reviewOf({ operation, object, old, subResource = '' }: AskedOf): JsonObject {
  const { namespace = '', name = '' } = object.metadata ?? {};
  const request = {
    uid: randomUUID(),
    kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
    resource: { group: 'apps', version: 'v1', resource: 'deployments' },
    namespace,
    name,
    operation,
    subResource,
    userInfo: { username: 'bench', groups: ['system:masters'] },
    object,
    oldObject: old,
    dryRun: false,
    options: null,
  };
  const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
  return review as unknown as JsonObject;
}
