/**
 * The common types of all Kubernetes objects. They are intentionally loose: typed kinds are from `kubernetes-types`,
 * whose interfaces fit `KubeObject`; newer fields are declared where they are used.
 */
export type Json = string | number | boolean | null | Json[] | JsonObject;

export interface JsonObject {
  [field: string]: Json;
}

export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMeta;
}

/** Times are RFC 3339 strings, as on the wire. */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  managedFields?: ManagedFieldsEntry[];
}

/** Annotation of kubectl: the manifest of the last client-side apply, as JSON. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: object;
  subresource?: string;
}

/** One kind of object as an API server serves it. The type parameter is the type of its objects. */
export interface Resource<T extends KubeObject = KubeObject> {
  /** '' for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The name in paths: "deployments". */
  readonly plural: string;
  readonly namespaced: boolean;
  /** Never set. It only ties the type of the objects to the resource. */
  readonly type?: T;
}

/** Identifies an object of a kind; `namespace` is absent for cluster-scoped kinds. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/** The resource name of kubectl and of messages: `deployments.apps` or `pods`. */
export function resourceName({ group, plural }: Pick<Resource, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}

export function apiVersionOf({ group, version }: Pick<Resource, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The group of an apiVersion; '': the core group. */
export function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}

/**
 * Whether a version is certainly not after another one; false if that cannot be determined. A server with a single
 * store gives its versions increasing numbers.
 */
export function isNotAfter(version: string, position: string): boolean {
  if (version === position) return true;
  if (!COUNTED.test(version) || !COUNTED.test(position)) return false;
  // Compared as text, since a version may exceed the integers that a number represents exactly.
  if (version.length !== position.length) return version.length < position.length;
  return version < position;
}

const COUNTED = /^(0|[1-9]\d*)$/;
