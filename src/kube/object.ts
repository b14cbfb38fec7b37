/**
 * The shapes every Kubernetes object shares. They are loose on purpose: typed kinds come from
 * `kubernetes-types`, whose interfaces fit `KubeObject`; newer fields are declared where they are used.
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

/** One kind of object as an API server serves it. The type parameter is the object's own type. */
export interface Resource<T extends KubeObject = KubeObject> {
  /** '' for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The name in paths: "deployments". */
  readonly plural: string;
  readonly namespaced: boolean;
  /** Never set: it only ties the object's type to the value. */
  readonly type?: T;
}

/** Which object of a kind: `namespace` is left out for kinds without one. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/** `deployments.apps` or `pods`: how kubectl and messages name a resource. */
export function resourceName({ group, plural }: Pick<Resource, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}

export function apiVersionOf({ group, version }: Pick<Resource, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}
