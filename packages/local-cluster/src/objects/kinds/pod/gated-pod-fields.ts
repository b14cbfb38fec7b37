/** The fields of a pod's spec and status that are behind feature gates. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import type { FeatureGates } from '../../../../../../src/model/feature-gates.ts';
import { dropGatedFields, type GatedFields } from '../../gated-fields.ts';
import { isObject, numberAt, objectAt } from '../../../../../../src/kube/fields.ts';
import { allContainers } from './fill-pod-spec.ts';

const HOOKS = ['postStart', 'preStop'];
const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'];

const ofContainers = (...fields: readonly string[]): GatedFields =>
  ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    fields.map((field) => `${list}[].${field}`),
  );

const SLEEP = ofContainers(...HOOKS.map((hook) => `lifecycle.${hook}?.sleep`));

/** Gates that are off in the Kubernetes version that the local cluster follows, in the order of their names. */
const OFF: readonly GatedFields[] = [
  // AtomicWriteVolumeUserFields
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
  // ContainerStopSignals
  ofContainers('lifecycle?.stopSignal'),
  // EmptyDirVolumeMode
  ['volumes[].emptyDir.mode'],
  // EvictionRequestAPI
  ['evictionResponders'],
  // GRPCContainerProbeTLS
  ofContainers(...PROBES.map((probe) => `${probe}.grpc.mode`)),
  // GenericWorkload
  ['schedulingGroup'],
  // H2CContainerProbe
  ofContainers(
    ...PROBES.map((probe) => `${probe}.httpGet.protocol`),
    ...HOOKS.map((hook) => `lifecycle.${hook}.httpGet.protocol`),
  ),
  // VolumeBindMountOptions
  ofContainers('volumeMounts[].bindMountOptions'),
];

/** The same for the status. */
export const GATED_STATUS: readonly GatedFields[] = [
  // CSIVolumeHealth
  ['status.volumeHealth'],
  // DRANodeAllocatableResources
  ['status.nodeAllocatableResourceClaimStatuses'],
  // ImageVolumeWithDigest
  ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'].map(
    (list) => `status.${list}[].volumeMounts[].volumeStatus`,
  ),
];

/** Changes `spec`, the pod spec that will replace `old` in the store. */
export function dropGatedPodFields(
  spec: JsonObject,
  old: JsonObject | undefined,
  gates: FeatureGates,
): void {
  dropGatedFields(spec, old, gates.PodLifecycleSleepAction ? OFF : [...OFF, SLEEP]);
}

/** Whether a sleep of 0 seconds is valid: its gate is on, or the existing object has one. */
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
