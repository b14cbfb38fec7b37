/** The objects that other clients request, and the admission reviews of them. */
import type { AdmissionRequest } from '../../../src/controller/admission/admission-review.ts';
import {
  apiVersionOf,
  type JsonObject,
  type KubeObject,
  type ObjectKey,
  type Resource,
} from '../../../src/kube/object.ts';
import { groupSnapshots, snapshots, type VolumeSnapshot } from '../../../src/kube/snapshots.ts';
import type { RequestPlan } from './guard-scene.ts';
import { NAMESPACE } from './sim-cluster.ts';

export function resourceOf({ mode }: RequestPlan): Resource {
  return mode === 'Group' ? groupSnapshots : snapshots;
}

export function objectOf(
  { name: label, mode, claims, storage }: RequestPlan,
  key: ObjectKey,
): KubeObject {
  const className = storage === 'early' ? 'early' : 'plain';
  const spec =
    mode === 'Group'
      ? {
          source: { selector: { matchLabels: { [label]: 'yes' } } },
          volumeGroupSnapshotClassName: className,
        }
      : {
          source: { persistentVolumeClaimName: claims[0] ?? '' },
          volumeSnapshotClassName: className,
        };
  return { metadata: { ...key }, spec } as KubeObject;
}

export function reviewOf({
  plan,
  name,
  uid,
}: {
  readonly plan: RequestPlan;
  readonly name: string;
  readonly uid: string;
}): AdmissionRequest {
  const { metadata, ...others } = objectOf(plan, { namespace: NAMESPACE, name });
  const object = { metadata: { ...metadata, uid }, ...others };
  return { ...review(resourceOf(plan), object, 'backup-tool'), dryRun: plan.isDryRun };
}

export function reviewOfMember(member: VolumeSnapshot): AdmissionRequest {
  return review(snapshots, member, 'snapshot-controller');
}

function review(resource: Resource, object: KubeObject, username: string): AdmissionRequest {
  const { name = '', uid = '' } = object.metadata ?? {};
  const whole = { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object };
  return {
    uid: `review-${uid}`,
    kind: { group: resource.group, kind: resource.kind },
    namespace: NAMESPACE,
    name,
    operation: 'CREATE',
    dryRun: false,
    object: whole as unknown as JsonObject,
    userInfo: { username },
  };
}
