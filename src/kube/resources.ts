/**
 * The kinds that the product uses, each as one typed value. Any other kind (of a CRD, or from discovery) is created
 * with `makeResource`.
 */
import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from 'kubernetes-types/admissionregistration/v1.js';
import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1.js';
import type { Deployment, ReplicaSet } from 'kubernetes-types/apps/v1.js';
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { Lease } from 'kubernetes-types/coordination/v1.js';
import type {
  ConfigMap,
  Endpoints,
  Event,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  Secret,
  Service,
  ServiceAccount,
} from 'kubernetes-types/core/v1.js';
import type { StorageClass, VolumeAttachment } from 'kubernetes-types/storage/v1.js';

import type { JsonObject, KubeObject, Resource } from './object.ts';

/** An object of a kind without static types: its fields are unvalidated. */
export interface LooseObject extends KubeObject {
  spec?: JsonObject;
  status?: JsonObject;
}

/** A kind. The defaults are those of most kinds: namespaced, and the lower-case kind plus "s" as plural. */
interface KindInfo {
  /** Example: "v1", "apps/v1". */
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural?: string;
  readonly namespaced?: boolean;
}

/** A resource from the kind in a manifest or in discovery. */
export function makeResource<T extends KubeObject = LooseObject>(info: KindInfo): Resource<T> {
  const { apiVersion, kind, plural = `${kind.toLowerCase()}s`, namespaced = true } = info;
  const slash = apiVersion.indexOf('/');
  const group = slash === -1 ? '' : apiVersion.slice(0, slash);
  return { group, version: apiVersion.slice(slash + 1), kind, plural, namespaced };
}

const core = 'v1';
export const pods: Resource<Pod> = makeResource({ apiVersion: core, kind: 'Pod' });
export const services: Resource<Service> = makeResource({ apiVersion: core, kind: 'Service' });
export const endpoints: Resource<Endpoints> = makeResource({
  apiVersion: core,
  kind: 'Endpoints',
  plural: 'endpoints',
});
export const configMaps: Resource<ConfigMap> = makeResource({
  apiVersion: core,
  kind: 'ConfigMap',
});
export const secrets: Resource<Secret> = makeResource({ apiVersion: core, kind: 'Secret' });
export const serviceAccounts: Resource<ServiceAccount> = makeResource({
  apiVersion: core,
  kind: 'ServiceAccount',
});
export const events: Resource<Event> = makeResource({ apiVersion: core, kind: 'Event' });
export const persistentVolumeClaims: Resource<PersistentVolumeClaim> = makeResource({
  apiVersion: core,
  kind: 'PersistentVolumeClaim',
});
export const persistentVolumes: Resource<PersistentVolume> = makeResource({
  apiVersion: core,
  kind: 'PersistentVolume',
  namespaced: false,
});
export const namespaces: Resource<Namespace> = makeResource({
  apiVersion: core,
  kind: 'Namespace',
  namespaced: false,
});
export const nodes: Resource<Node> = makeResource({
  apiVersion: core,
  kind: 'Node',
  namespaced: false,
});

export const deployments: Resource<Deployment> = makeResource({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
});
export const replicaSets: Resource<ReplicaSet> = makeResource({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
});
export const jobs: Resource<Job> = makeResource({ apiVersion: 'batch/v1', kind: 'Job' });
export const leases: Resource<Lease> = makeResource({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
});

export const storageClasses: Resource<StorageClass> = makeResource({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  namespaced: false,
});
export const volumeAttachments: Resource<VolumeAttachment> = makeResource({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'VolumeAttachment',
  namespaced: false,
});

export const customResourceDefinitions: Resource<CustomResourceDefinition> = makeResource({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  namespaced: false,
});
export const mutatingWebhookConfigurations: Resource<MutatingWebhookConfiguration> = makeResource({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  namespaced: false,
});
export const validatingWebhookConfigurations: Resource<ValidatingWebhookConfiguration> =
  makeResource({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    namespaced: false,
  });

const snapshotStorage = 'snapshot.storage.k8s.io/v1';
export const volumeSnapshots: Resource<LooseObject> = makeResource({
  apiVersion: snapshotStorage,
  kind: 'VolumeSnapshot',
});
export const volumeSnapshotContents: Resource<LooseObject> = makeResource({
  apiVersion: snapshotStorage,
  kind: 'VolumeSnapshotContent',
  namespaced: false,
});
