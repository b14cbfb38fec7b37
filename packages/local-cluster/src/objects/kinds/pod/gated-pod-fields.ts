/** Which fields of a pod's spec, and of its status, are behind feature gates. */
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

/** Behind gates that are off in the version that the local cluster follows, in the order of their gates' names. */
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

/** The same of the status. */
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

/** Changes `spec`, the pod spec that is about to be stored in place of `old`. */
export function dropGatedPodFields(
  spec: JsonObject,
  old: JsonObject | undefined,
  gates: FeatureGates,
): void {
  dropGatedFields(spec, old, gates.PodLifecycleSleepAction ? OFF : [...OFF, SLEEP]);
}

/** Whether a sleep of no seconds is valid: its gate is on, or the object sleeps for none already. */
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
