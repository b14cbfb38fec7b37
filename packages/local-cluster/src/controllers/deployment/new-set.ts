/** The replica set of the present template as it shall be: a new one, or one that is there, brought up to date. Pure. */
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { sameJson } from '../../../../../src/controller/same-json.ts';
import { controllerReference } from '../workload/child-index.ts';
import { annotationsOf, identityOf, templateOf } from '../workload/parts.ts';
import { withoutZeros } from '../workload/without-zeros.ts';
import { currentSetAnnotations, sizeAnnotations } from './revisions.ts';
import { currentSetSize } from './rolling-plan.ts';
import { HASH_LABEL, templateHash } from './template.ts';

export function newSet(
  deployment: Deployment,
  old: readonly ReplicaSet[],
  revision: number,
): ReplicaSet {
  const { namespace, name } = identityOf(deployment);
  const template = templateOf(deployment);
  const hash = templateHash(template, deployment.status?.collisionCount);
  const labels = { ...template.metadata?.labels, [HASH_LABEL]: hash };
  return {
    metadata: {
      namespace,
      name: `${name}-${hash}`,
      labels,
      annotations: {
        ...currentSetAnnotations(deployment, {}, revision),
        ...sizeAnnotations(deployment),
      },
      ownerReferences: [
        controllerReference({ apiVersion: 'apps/v1', kind: 'Deployment' }, deployment),
      ],
    },
    spec: {
      replicas: currentSetSize(deployment, old, 0),
      ...withoutZeros({ minReadySeconds: minReadySecondsOf(deployment) }),
      selector: withHash(deployment, hash),
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

type Selector = NonNullable<ReplicaSet['spec']>['selector'];

function withHash({ spec }: Deployment, hash: string): Selector {
  const { selector = {} } = spec ?? {};
  return { ...selector, matchLabels: { ...selector.matchLabels, [HASH_LABEL]: hash } };
}

/** null: it is up to date. */
export function keptUp(
  deployment: Deployment,
  set: ReplicaSet,
  revision: number,
): ReplicaSet | null {
  const before = annotationsOf(set);
  const annotations = { ...currentSetAnnotations(deployment, before, revision) };
  const minReadySeconds = minReadySecondsOf(deployment);
  if (sameJson(annotations, before) && minReadySecondsOf(set) === minReadySeconds) return null;
  return {
    ...set,
    metadata: { ...set.metadata, annotations },
    spec: { selector: {}, ...set.spec, minReadySeconds },
  };
}

function minReadySecondsOf({ spec }: Deployment | ReplicaSet): number {
  return spec?.minReadySeconds ?? 0;
}
