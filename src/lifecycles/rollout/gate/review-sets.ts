/** Reviews the writes of ReplicaSets and of their scale subresource: looks up the Deployments, and judges the write. */
import type { ReplicaSet } from 'kubernetes-types/apps/v1.js';

import {
  type AdmissionRequest,
  ALLOWED,
  type Verdict,
} from '../../../controller/admission/admission-review.ts';
import type { JsonObject } from '../../../kube/object.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import { judgeSet, mayStartPods, type SetWrite } from './judge-set.ts';
import type { GateLookups } from './lookups.ts';

export async function reviewSet(
  lookups: GateLookups,
  request: AdmissionRequest,
  signal: CancelSignal,
): Promise<Verdict> {
  const write = await writeOf(lookups, request, signal);
  if (write === null || !mayStartPods(write)) return ALLOWED;
  const owners = await lookups.gatedOwners(write.set, signal);
  const verdicts = owners.map((owner) => judgeSet(write, owner));
  return verdicts.find(({ allowed }) => !allowed) ?? ALLOWED;
}

/** The ReplicaSet before and after the write. null: the write cannot start pods, or the ReplicaSet cannot be read. */
async function writeOf(
  lookups: GateLookups,
  request: AdmissionRequest,
  signal: CancelSignal,
): Promise<SetWrite | null> {
  const { kind, object, oldObject = null } = request;
  if (object === null) return null;
  switch (kind.kind) {
    case 'ReplicaSet':
      return { set: object, old: oldObject };
    case 'Scale':
      return scaleOf(lookups, { ...request, object }, signal);
    default:
      return null;
  }
}

async function scaleOf(
  lookups: GateLookups,
  { object, oldObject = null, ...request }: AdmissionRequest & { readonly object: JsonObject },
  signal: CancelSignal,
): Promise<SetWrite | null> {
  const replicas = replicasIn(object);
  if (replicas <= replicasIn(oldObject)) return null;
  const { namespace = '', name = '' } = request;
  const old = await lookups.replicaSet({ namespace, name }, signal);
  return old === null ? null : { set: scaled(old, replicas), old };
}

function scaled(old: ReplicaSet, replicas: number): ReplicaSet {
  return { ...old, spec: { selector: {}, ...old.spec, replicas } };
}

/** The replicas of a Scale. A Scale omits the field for 0. */
function replicasIn(scale: JsonObject | null): number {
  const { replicas = 0 } = (scale?.['spec'] ?? {}) as { replicas?: number };
  return replicas;
}
