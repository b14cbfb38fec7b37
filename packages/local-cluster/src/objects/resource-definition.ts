import type { JsonObject } from '../../../../src/kube/object.ts';
import type { CancelSignal } from '../../../../src/platform/platform.ts';
import type { FeatureGates } from '../../../../src/model/feature-gates.ts';
import type { FieldError } from './field-error.ts';
import type { NameRule } from './metadata-names.ts';
import type { TypeNode } from './type-node.ts';

/**
 * One resource as the API server serves it, built in or custom. Every difference between kinds is defined here; the
 * request handling has no branch for a kind. All functions are pure and never change their input.
 */
export interface ResourceDefinition {
  /** '' for the core group. */
  readonly group: string;
  /** The group in error messages; absent: `group`. It differs for kinds that two groups serve. */
  readonly errorGroup?: string;
  /** The version in requests; a kind with several has one definition for each, and one stored version. */
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** Example: "deployments.apps"; the key of the kind in the store, equal for all its versions. */
  readonly storageName: string;
  /** The generic subresources; logs, exec and the like have routes of their own. */
  readonly subresources: { readonly status: boolean; readonly scale: ScalePaths | null };
  /** Absent verbs are answered 405; reviews, for example, can only be created. */
  readonly verbs: readonly Verb[];
  readonly type: TypeNode;
  /** Warning header on writes of a kind that is stored and served, but that no controller acts on. */
  readonly inertWarning?: string;
  /** Warning header on every answer. */
  readonly deprecation?: string;
  /**
   * True: pruned and defaulted by a structural schema. False: built in; unknown fields are dropped as in Kubernetes.
   */
  readonly custom: boolean;
  /** For custom kinds: aborts when this form is no longer served, so that watchers list again. */
  readonly ended?: CancelSignal;
  /** The syntax of metadata.name, for `validateMetadata`; absent: a DNS subdomain. */
  readonly nameRule?: NameRule;
  /** Whether finalizers need no domain, for `validateMetadata`; absent: only standard ones need none. */
  readonly plainFinalizers?: boolean;
  /** Fields that a write of the status does not change, and whose owners it does not change. */
  readonly statusLeaves: readonly (readonly string[])[];
  /** Present if this version differs from the stored one in more than its apiVersion. */
  readonly conversion?: StoredForm;

  /** Sets defaults, also of fields that a gate drops; runs before admission and validation. */
  defaults(object: JsonObject): JsonObject;
  /**
   * Applies the server's own decisions: on create (status cleared, phase set, names filled in) and on update (status
   * kept from `old`, generation raised when the spec changed, gated fields dropped or kept). The caller sets the
   * metadata first (name, uid, creationTimestamp; on update the old resourceVersion).
   */
  prepareForCreate(object: JsonObject, context: StrategyContext): JsonObject;
  prepareForUpdate(object: JsonObject, old: JsonObject, context: StrategyContext): JsonObject;
  /** Keeps everything from `old` except the status and the metadata that a write of the status may change. */
  prepareForStatusUpdate(object: JsonObject, old: JsonObject, context: StrategyContext): JsonObject;
  /** `old`: undefined on create. The caller validates the metadata, which is the same for all kinds. */
  validate(
    object: JsonObject,
    old: JsonObject | undefined,
    context: StrategyContext,
  ): readonly FieldError[];
  validateStatus(
    object: JsonObject,
    old: JsonObject,
    context: StrategyContext,
  ): readonly FieldError[];
  /** Adds fields to a new object after validation; `given`: the object of the client. Absent: adds none. */
  readonly complete?: (validated: JsonObject, given: JsonObject) => JsonObject;
  /** Warnings about a valid object; absent: none. `old`: undefined on create. */
  readonly warn?: (object: JsonObject, old: JsonObject | undefined) => readonly string[];
  /** Fields besides metadata.name and metadata.namespace: `status.phase`, `spec.nodeName`…; the value as text. */
  readonly fieldSelectors: Readonly<Record<string, (object: JsonObject) => string>>;
  /** The error for an unknown field; absent: the one of most kinds. */
  readonly unknownField?: (field: string) => string;
  /** The columns of `kubectl get`, including name and age. */
  readonly columns: readonly PrinterColumn[];
  /** Graceful deletion; null: a delete removes the object at once. Pods only. */
  readonly graceful?: GracefulDeletion;
  /** The subresource `resize`; absent: it is not served. Pods only. */
  readonly resize?: Resizing;
}

/** Conversion to and from the stored version of a kind with several versions; includes apiVersion. */
export interface StoredForm {
  toStored(object: JsonObject): JsonObject;
  fromStored(stored: JsonObject): JsonObject;
}

/** In the order of discovery. */
export const ALL_VERBS = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
] as const;

export type Verb = (typeof ALL_VERBS)[number];

export interface StrategyContext {
  readonly gates: FeatureGates;
  /** RFC 3339 with seconds. */
  readonly now: string;
}

export interface ScalePaths {
  /** Example: ".spec.replicas" */
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly labelSelector: string | null;
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format: string;
  readonly description: string;
  /** 0: always shown; 1: with -o wide. */
  readonly priority: number;
  value(object: JsonObject, now: string): string | number | boolean | null;
}

/** A change of only the resources of a pod and of its containers. */
export interface Resizing {
  /** `object` with all other fields from `old`. Unchanged if the containers differ; validation then refuses it. */
  narrow(object: JsonObject, old: JsonObject): JsonObject;
  validate(object: JsonObject, old: JsonObject, context: StrategyContext): readonly FieldError[];
}

/** The deletion of a pod: first its deletionTimestamp is set; the node's confirmation removes it. */
export interface GracefulDeletion {
  /** The grace period in seconds if the caller names none. */
  defaultSeconds(object: JsonObject): number;
  /** True: no node has to confirm the deletion (never scheduled, or already finished). */
  immediate(object: JsonObject): boolean;
}
