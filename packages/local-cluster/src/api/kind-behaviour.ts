/**
 * The few ways in which the request path treats one built-in kind unlike the others, in one table:
 * what its storage decides in a real API server, not what its fields mean.
 */
import type { JsonObject } from '../../../../src/kube/object.ts';
import type { ResourceDefinition } from '../objects/resource-definition.ts';
import { fieldsAt, listAt, textAt } from '../../../../src/kube/fields.ts';
import { beginCleanUp } from './crd/conditions.ts';
import { withMeta } from './object-meta.ts';

export interface KindBehaviour {
  /** PUT creates what is not there. */
  readonly createdByUpdate: boolean;
  /** PUT without a resourceVersion is refused. */
  readonly needsRevision: boolean;
  /** A delete is answered with the object, not with a Status. */
  readonly answersDeletedObject: boolean;
  /** One without a name and a prefix of it is given an identity as its name. */
  readonly namedByServer: boolean;
  /** A delete without a policy leaves the dependents alone. */
  readonly orphansByDefault: boolean;
  /** It can own nothing: what a delete says of dependents means nothing. */
  readonly withoutDependents: boolean;
  /** Its own deletion looks at the preconditions, and has its own words for them. */
  readonly ownPreconditions: boolean;
  /** Beside metadata.finalizers: whether anything else holds an object that is being deleted. */
  mayGo(object: JsonObject): boolean;
  /** What else changes when an object is marked for deletion; `old`: as it was before. */
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
  mayGo: () => true,
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
    mayGo: (object) => listAt(object, 'spec', 'finalizers').length === 0,
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
    // Its first deletion only marks it: its objects go before it.
    mayGo: (object) => textAt(object, 'metadata', 'deletionTimestamp') !== '',
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
  // Updates of custom resources name the revision that they were made from.
  if (custom) return { ...usual, needsRevision: true };
  return { ...usual, ...special[storageName] };
}

/** A namespace goes in steps of its own, and has no grace. */
function terminating(object: JsonObject): JsonObject {
  const marked = withMeta(object, { deletionGracePeriodSeconds: undefined });
  return { ...marked, status: { ...fieldsAt(object, 'status'), phase: 'Terminating' } };
}
