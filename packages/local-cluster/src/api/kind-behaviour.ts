/**
 * The few differences between built-in kinds in the request path, in one table: what their storage decides in
 * a real API server, not what their fields mean.
 */
import type { JsonObject } from '../../../../src/kube/object.ts';
import type { ResourceDefinition } from '../objects/resource-definition.ts';
import { fieldsAt, listAt, textAt } from '../../../../src/kube/fields.ts';
import { beginCleanUp } from './crd/conditions.ts';
import { withMeta } from './object-meta.ts';

export interface KindBehaviour {
  /** PUT creates a missing object. */
  readonly createdByUpdate: boolean;
  /** PUT without a resourceVersion is refused. */
  readonly needsRevision: boolean;
  /** The answer to a delete is the object, not a Status. */
  readonly answersDeletedObject: boolean;
  /** An object without name and prefix gets a generated uid as its name. */
  readonly namedByServer: boolean;
  /** A delete without a policy orphans the dependents. */
  readonly orphansByDefault: boolean;
  /** It cannot own objects: options of a delete about dependents have no effect. */
  readonly withoutDependents: boolean;
  /** Its own deletion checks the preconditions, with its own error texts. */
  readonly ownPreconditions: boolean;
  /** Whether nothing besides metadata.finalizers keeps an object that is being deleted. */
  mayBeRemoved(object: JsonObject): boolean;
  /** Other changes when an object is marked for deletion; `old`: the object before. */
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
    // The first deletion only marks it: its objects are deleted before it.
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
  // Updates of custom resources name the revision that they are based on.
  if (custom) return { ...usual, needsRevision: true };
  return { ...usual, ...special[storageName] };
}

/** A namespace is deleted in its own steps, and has no grace period. */
function terminating(object: JsonObject): JsonObject {
  const marked = withMeta(object, { deletionGracePeriodSeconds: undefined });
  return { ...marked, status: { ...fieldsAt(object, 'status'), phase: 'Terminating' } };
}
