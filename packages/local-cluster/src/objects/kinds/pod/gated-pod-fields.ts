/** Drops the fields of a pod's spec and status whose feature gate is off. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FeatureGates } from '../../../../../../src/model/feature-gates.ts';
import { dropGatedFields, type GatedFields } from '../../gated-fields.ts';
import { isObject, numberAt, objectAt } from '../../../../../../src/kube/fields.ts';
import { allContainers, HOOKS, PROBES } from './fill-pod-spec.ts';

const ofContainers = (...fields: readonly string[]): GatedFields =>
  ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    fields.map((field) => `${list}[].${field}`),
  );

const SLEEP = ofContainers(...HOOKS.map((hook) => `lifecycle.${hook}?.sleep`));

/**
 * Fields of feature gates that are off in the Kubernetes version that we follow. Each gate has one list; the gates are
 * ordered by name.
 */
const OFF: readonly GatedFields[] = [
  // Gate AtomicWriteVolumeUserFields
  [
    ...['secret', 'configMap', 'downwardAPI'].flatMap((source) => [
      `volumes[].${source}.defaultUser`,
      `volumes[].${source}.items[].user`,
      `volumes[].projected.sources[].${source}.items[].user`,
    ]),
    'volumes[].projected.defaultUser',
    ...['serviceAccountToken', 'clusterTrustBundle', 'podCertificate'].map(
      (source) => `volumes[].projected.sources[].${source}.user`,
    ),
  ],
  // Gate ContainerStopSignals
  ofContainers('lifecycle?.stopSignal'),
  // Gate EmptyDirVolumeMode
  ['volumes[].emptyDir.mode'],
  // Gate EvictionRequestAPI
  ['evictionResponders'],
  // Gate GRPCContainerProbeTLS
  ofContainers(...PROBES.map((probe) => `${probe}.grpc.mode`)),
  // Gate GenericWorkload
  ['schedulingGroup'],
  // Gate H2CContainerProbe
  ofContainers(
    ...PROBES.map((probe) => `${probe}.httpGet.protocol`),
    ...HOOKS.map((hook) => `lifecycle.${hook}.httpGet.protocol`),
  ),
  // Gate VolumeBindMountOptions
  ofContainers('volumeMounts[].bindMountOptions'),
];

/** Fields of the status whose feature gate is off, by gate. */
export const GATED_STATUS: readonly GatedFields[] = [
  // Gate CSIVolumeHealth
  ['status.volumeHealth'],
  // Gate DRANodeAllocatableResources
  ['status.nodeAllocatableResourceClaimStatuses'],
  // Gate ImageVolumeWithDigest
  ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'].map(
    (list) => `status.${list}[].volumeMounts[].volumeStatus`,
  ),
];

/** Drops gated fields from `spec`, a pod spec that replaces `old`. */
export function dropGatedPodFields(
  spec: JsonObject,
  old: JsonObject | undefined,
  gates: FeatureGates,
): void {
  dropGatedFields(spec, old, gates.PodLifecycleSleepAction ? OFF : [...OFF, SLEEP]);
}

/** True if a sleep of 0 seconds is valid: the gate is on, or the stored object already has one. */
export function allowsZeroSleep(old: JsonObject | undefined, gates: FeatureGates): boolean {
  if (gates.PodLifecycleSleepActionAllowZero) return true;
  return sleepsOf(old).some((sleep) => (numberAt(sleep, 'seconds') ?? 0) === 0);
}

function sleepsOf(spec: JsonObject | undefined): readonly JsonObject[] {
  if (spec === undefined) return [];
  return allContainers(spec).flatMap((container) =>
    HOOKS.map((hook) => objectAt(container, 'lifecycle', hook, 'sleep')).filter(isObject),
  );
}
