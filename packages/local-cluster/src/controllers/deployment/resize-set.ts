/** Sets the size of one replica set, and records the size of its deployment on it. */
import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';

import { replicaSets } from '../../../../../src/kube/resources.ts';
import { type DeploymentPass, recordEvent } from './pass.ts';
import { sizeOf } from './replica-sets.ts';
import { sizeAnnotations } from './revisions.ts';

/** Resolves with whether its size has changed. Writes nothing if it has the size already. */
export async function resizeSet(
  pass: DeploymentPass,
  set: ReplicaSet,
  size: number,
): Promise<boolean> {
  if (sizeOf(set) === size) return false;
  await writeSize(pass, set, size);
  return true;
}

/** Also writes if only the annotations belong to another size of the deployment. */
export async function writeSize(
  pass: DeploymentPass,
  set: ReplicaSet,
  size: number,
): Promise<void> {
  const before = sizeOf(set);
  const wanted = sizeAnnotations(pass.deployment);
  const annotations = set.metadata?.annotations ?? {};
  const reported = Object.entries(wanted).every(([name, value]) => annotations[name] === value);
  if (before === size && reported) return;
  await pass.client.replace(replicaSets, {
    ...set,
    metadata: { ...set.metadata, annotations: { ...annotations, ...wanted } },
    spec: { selector: {}, ...set.spec, replicas: size },
  });
  if (before === size) return;
  const direction = size > before ? 'up' : 'down';
  const name = set.metadata?.name ?? '';
  recordEvent(pass, {
    type: 'Normal',
    reason: 'ScalingReplicaSet',
    message: `Scaled ${direction} replica set ${name} from ${before} to ${size}`,
  });
}
