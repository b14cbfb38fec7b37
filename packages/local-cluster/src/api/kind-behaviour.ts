/**
 * Lists how built-in kinds differ in the request path.
 *
 * These are the differences that a real API server keeps in the storage of each kind. The meaning of fields is defined
 * elsewhere.
 */
import type { JsonObject } from '../../../../src/kube/object.ts';
import type { ResourceDefinition } from '../objects/resource-definition.ts';
import { fieldsAt, listAt, textAt } from '../../../../src/kube/fields.ts';
import { beginCleanUp } from './crd/conditions.ts';
import { withMeta } from './object-meta.ts';

export interface KindBehaviour {
  /** True if PUT creates a missing object. */
  readonly createdByUpdate: boolean;
  /** True if PUT without a resourceVersion is refused. */
  readonly needsRevision: boolean;
  /** True if a delete is answered with the object, false if with a Status. */
  readonly answersDeletedObject: boolean;
  /** True if an object without name and generateName gets a generated uid as its name. */
  readonly namedByServer: boolean;
  /** True if a delete without a propagation policy orphans the dependents. */
  readonly orphansByDefault: boolean;
  /** True if objects of the kind cannot own others: the propagation policy of a delete has no effect. */
  readonly withoutDependents: boolean;
  /** True if a failed precondition of a delete is reported in the texts of this kind's own storage. */
  readonly ownPreconditions: boolean;
  /** False while something besides metadata.finalizers keeps an object that is being deleted. */
  mayBeRemoved(object: JsonObject): boolean;
  /** Returns `marked` with the changes that the kind needs besides its deletion timestamp. `old`: before the delete. */
  onDeletion(marked: JsonObject, old: JsonObject): JsonObject;
}

const usual: KindBehaviour = {
  createdByUpdate: false,
  needsRevision: false,
  answersDeletedObject: false,
  namedByServer: false,
  orphansByDefault: false,
  withoutDependents: false,
  ownPreconditions: false,
  mayBeRemoved: () => true,
  onDeletion: (marked) => marked,
};

const answersDeletedObject = true;
const createdByUpdate = true;
const namedByServer = true;
const needsRevision = true;
const orphansByDefault = true;
const withoutDependents = true;
const ownPreconditions = true;

const special: Readonly<Record<string, Partial<KindBehaviour>>> = {
  namespaces: {
    answersDeletedObject,
    ownPreconditions,
    mayBeRemoved: (object) => listAt(object, 'spec', 'finalizers').length === 0,
    onDeletion: terminating,
  },
  endpoints: { createdByUpdate },
  events: { createdByUpdate, withoutDependents },
  limitranges: { createdByUpdate, namedByServer },
  persistentvolumeclaims: { answersDeletedObject },
  persistentvolumes: { answersDeletedObject },
  pods: { answersDeletedObject },
  podtemplates: { answersDeletedObject },
  replicationcontrollers: { orphansByDefault },
  resourcequotas: { answersDeletedObject },
  serviceaccounts: { answersDeletedObject },
  services: { answersDeletedObject, createdByUpdate },
  'clusterrolebindings.rbac.authorization.k8s.io': { createdByUpdate },
  'clusterroles.rbac.authorization.k8s.io': { createdByUpdate },
  'csidrivers.storage.k8s.io': { answersDeletedObject, needsRevision },
  'csinodes.storage.k8s.io': { answersDeletedObject, needsRevision },
  'customresourcedefinitions.apiextensions.k8s.io': {
    needsRevision,
    ownPreconditions,
    // The first delete only marks the definition, because the objects of its kind are deleted first.
    mayBeRemoved: (object) => textAt(object, 'metadata', 'deletionTimestamp') !== '',
    onDeletion: beginCleanUp,
  },
  'jobs.batch': { orphansByDefault },
  'leases.coordination.k8s.io': { createdByUpdate, needsRevision },
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': { needsRevision },
  'poddisruptionbudgets.policy': { needsRevision },
  'rolebindings.rbac.authorization.k8s.io': { createdByUpdate },
  'roles.rbac.authorization.k8s.io': { createdByUpdate },
  'runtimeclasses.node.k8s.io': { createdByUpdate, needsRevision },
  'storageclasses.storage.k8s.io': { answersDeletedObject },
  'validatingwebhookconfigurations.admissionregistration.k8s.io': { needsRevision },
  'volumeattachments.storage.k8s.io': { answersDeletedObject, needsRevision },
};

export function kindBehaviour({
  storageName,
  custom,
}: Pick<ResourceDefinition, 'storageName' | 'custom'>): KindBehaviour {
  // An update of a custom resource must have a resourceVersion.
  if (custom) return { ...usual, needsRevision: true };
  return { ...usual, ...special[storageName] };
}

/**
 * Marks an object as terminating. A namespace gets the phase Terminating and no grace period. Its finalizers keep it
 * until it is empty.
 */
function terminating(object: JsonObject): JsonObject {
  const marked = withMeta(object, { deletionGracePeriodSeconds: undefined });
  return { ...marked, status: { ...fieldsAt(object, 'status'), phase: 'Terminating' } };
}
