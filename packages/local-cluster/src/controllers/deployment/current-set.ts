/**
 * Finds, updates or creates the ReplicaSet of the current template.
 *
 * Its revision is one above that of every old ReplicaSet. So after a rollback the ReplicaSet of the old template has
 * the newest revision.
 */
import type { ReplicaSet, Deployment } from 'kubernetes-types/apps/v1.js';

import { controllerOf } from '../../../../../src/controller/indexes.ts';
import { isNamespaceTerminating, isReason } from '../../../../../src/kube/api-error.ts';
import { replicaSets } from '../../../../../src/kube/resources.ts';
import { errorText } from '../../../../../src/platform/error-text.ts';
import {
  conditionsOf,
  identityOf,
  templateOf,
  annotationsOf,
  withoutZeros,
} from '../workload/parts.ts';
import { hasDeadline, progressing } from './progress.ts';
import { findCondition } from './status.ts';
import { type DeploymentPass, statusWith, recordEvent, writeDeployment } from './pass.ts';
import { type ReplicaSets, sizeOf, sortOut } from './replica-sets.ts';
import {
  highestRevision,
  revisionOf,
  currentSetAnnotations,
  sizeAnnotations,
} from './revisions.ts';
import { sameTemplate, HASH_LABEL, templateHash } from './template.ts';
import { sameJson } from '../../../../../src/controller/same-json.ts';
import { controllerReference } from '../workload/child-index.ts';
import { currentSetSize } from './rolling-plan.ts';

/** Finds the current ReplicaSet and brings its annotations up to date; creates none. */
export async function findSets(pass: DeploymentPass): Promise<ReplicaSets> {
  const { current, old } = sortOut(pass.deployment, pass.sets);
  if (current === null) return { current, old };
  return { current: await keepUp(pass, current, highestRevision(old) + 1), old };
}

/** Finds or creates the current ReplicaSet. */
export async function withCurrent(
  pass: DeploymentPass,
  { current, old }: ReplicaSets,
): Promise<ReplicaSets & { readonly current: ReplicaSet }> {
  return { current: current ?? (await makeSet(pass, old)), old };
}

async function keepUp(
  pass: DeploymentPass,
  set: ReplicaSet,
  revision: number,
): Promise<ReplicaSet> {
  const { deployment, client } = pass;
  const updated = keptUp(deployment, set, revision);
  if (updated !== null) return client.replace(replicaSets, updated);
  const unjudged = findCondition(conditionsOf(deployment), 'Progressing') === undefined;
  const message = `Found new replica set "${identityOf(set).name}"`;
  const found = progressing('True', 'FoundNewReplicaSet', message);
  await writeDeployment(pass, {
    ...(unjudged && hasDeadline(deployment) ? { status: statusWith(pass, found) } : {}),
    revision: revisionOf(set),
  });
  return set;
}

async function makeSet(pass: DeploymentPass, old: readonly ReplicaSet[]): Promise<ReplicaSet> {
  const revision = highestRevision(old) + 1;
  const wanted = newSet(pass.deployment, old, revision);
  const { name } = identityOf(wanted);
  const { set, isNew } = await create(pass, wanted);
  if (isNew && sizeOf(wanted) > 0) {
    const message = `Scaled up replica set ${name} from 0 to ${sizeOf(wanted)}`;
    recordEvent(pass, { type: 'Normal', reason: 'ScalingReplicaSet', message });
  }
  const created = progressing('True', 'NewReplicaSetCreated', `Created new replica set "${name}"`);
  const judged = isNew && hasDeadline(pass.deployment);
  await writeDeployment(pass, {
    ...(judged ? { status: statusWith(pass, created) } : {}),
    revision,
  });
  return set;
}

async function create(
  pass: DeploymentPass,
  wanted: ReplicaSet,
): Promise<{ readonly set: ReplicaSet; readonly isNew: boolean }> {
  try {
    return { set: await pass.client.create(replicaSets, wanted), isNew: true };
  } catch (error) {
    if (isReason(error, 'AlreadyExists')) {
      return { set: await existing(pass, wanted, error), isNew: false };
    }
    if (!isNamespaceTerminating(error)) await reportOfFailure(pass, wanted, error);
    throw error;
  }
}

/**
 * Handles a name that is taken: returns our own ReplicaSet if the cache does not have it yet. Otherwise it counts a
 * collision and throws; the next attempt uses another hash.
 */
async function existing(
  pass: DeploymentPass,
  wanted: ReplicaSet,
  error: unknown,
): Promise<ReplicaSet> {
  const { client, deployment } = pass;
  const { namespace, name } = identityOf(wanted);
  const found = await client.get(replicaSets, { namespace, name });
  const ours = controllerOf(found)?.uid === identityOf(deployment).uid;
  if (ours && sameTemplate(templateOf(found), templateOf(deployment))) return found;
  const { status = {} } = deployment;
  const collisionCount = (status.collisionCount ?? 0) + 1;
  await writeDeployment(pass, { status: { ...status, collisionCount } });
  throw error;
}

async function reportOfFailure(
  pass: DeploymentPass,
  wanted: ReplicaSet,
  error: unknown,
): Promise<void> {
  const message = `Failed to create new replica set "${identityOf(wanted).name}": ${errorText(error)}`;
  recordEvent(pass, { type: 'Warning', reason: 'ReplicaSetCreateError', message });
  if (!hasDeadline(pass.deployment)) return;
  const failed = progressing('False', 'ReplicaSetCreateError', message);
  await writeDeployment(pass, { status: statusWith(pass, failed) });
}

/** The ReplicaSet to create for the current template. Pure. */
function newSet(deployment: Deployment, old: readonly ReplicaSet[], revision: number): ReplicaSet {
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

/** The updated ReplicaSet; null if it is up to date. */
function keptUp(deployment: Deployment, set: ReplicaSet, revision: number): ReplicaSet | null {
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
