import type { JsonObject } from '../../../../src/kube/object.ts';
import type { CancelSignal } from '../../../../src/platform/platform.ts';
import type { FeatureGates } from '../../../../src/model/feature-gates.ts';
import type { FieldError } from './field-error.ts';
import type { NameRule } from './metadata-names.ts';
import type { TypeNode } from './type-node.ts';

/**
 * One resource as the API server serves it, built in or custom.
 *
 * Everything in which kinds differ is defined here; the code that serves requests has no branch for a kind. All
 * functions are pure and never change their input.
 */
export interface ResourceDefinition {
  /** Group of the resource; '' for the core group. */
  readonly group: string;
  /** Group in error messages; default: `group`. It differs for a kind that two groups serve. */
  readonly errorGroup?: string;
  /**
   * Version in requests. A kind with several versions has one definition for each; one of them is the stored version.
   */
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** Key of the kind in the store, such as "deployments.apps"; equal for all its versions. */
  readonly storageName: string;
  /** The generic subresources. Others (log, exec and the like) have their own code. */
  readonly subresources: { readonly status: boolean; readonly scale: ScalePaths | null };
  /** Verbs that are served; others get the error 405. A review, for example, can only be created. */
  readonly verbs: readonly Verb[];
  readonly type: TypeNode;
  /** Text of a warning header on writes of a kind that is stored, but that no controller acts on. */
  readonly inertWarning?: string;
  /** Text of a warning header in every response. */
  readonly deprecation?: string;
  /**
   * True for a custom kind: its structural schema prunes and defaults. False for a built-in kind: unknown fields are
   * dropped.
   */
  readonly custom: boolean;
  /** Aborts when a custom kind is no longer served in this form, so that watchers list again. */
  readonly ended?: CancelSignal;
  /** Syntax of metadata.name; default: a DNS subdomain. See `validateMetadata`. */
  readonly nameRule?: NameRule;
  /** True if finalizers need no domain; otherwise only the standard ones need none. See `validateMetadata`. */
  readonly plainFinalizers?: boolean;
  /** Paths whose values and owners an update of the status does not change. */
  readonly statusLeaves: readonly (readonly string[])[];
  /** Present if this version and the stored one differ in more than the apiVersion. */
  readonly conversion?: StoredForm;

  /**
   * Returns the object with defaults, even for fields that a feature gate drops later. Called before admission and
   * validation.
   */
  defaults(object: JsonObject): JsonObject;
  /**
   * Applies the decisions of the server. On create: clears the status, and fills in fields such as the phase. On
   * update: keeps the status of `old`, raises the generation if the spec changed, and drops or keeps gated fields. The
   * caller has set the metadata: name, uid and creationTimestamp, on update also the old resourceVersion.
   */
  prepareForCreate(object: JsonObject, context: StrategyContext): JsonObject;
  prepareForUpdate(object: JsonObject, old: JsonObject, context: StrategyContext): JsonObject;
  /** Returns `old` with the new status, and with the metadata that an update of the status may change. */
  prepareForStatusUpdate(object: JsonObject, old: JsonObject, context: StrategyContext): JsonObject;
  /** Validates all but the metadata, which the caller validates. `old`: undefined on create. */
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
  /**
   * Adds fields to a new object after validation; absent if it adds none. `given`: the object as the client sent it.
   */
  readonly complete?: (validated: JsonObject, given: JsonObject) => JsonObject;
  /** Returns warnings about a valid object; absent if the kind has none. `old`: undefined on create. */
  readonly warn?: (object: JsonObject, old: JsonObject | undefined) => readonly string[];
  /**
   * Field selectors such as `status.phase`, with the field's value as text. All kinds also have metadata.name and, in a
   * namespace, metadata.namespace.
   */
  readonly fieldSelectors: Readonly<Record<string, (object: JsonObject) => string>>;
  /** Returns the error for an unknown field in a field selector; absent: the error of most kinds. */
  readonly unknownField?: (field: string) => string;
  /** The columns of `kubectl get`, including name and age. */
  readonly columns: readonly PrinterColumn[];
  /** Rules of graceful deletion; absent if a delete removes the object at once. Only pods have it. */
  readonly graceful?: GracefulDeletion;
  /** Rules of the subresource `resize`; absent if it is not served. Only pods have it. */
  readonly resize?: Resizing;
}

/** Converts objects to and from the stored version, including the apiVersion. */
export interface StoredForm {
  toStored(object: JsonObject): JsonObject;
  fromStored(stored: JsonObject): JsonObject;
}

/** All verbs, in the order in which discovery lists them. */
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
  /** Time of the request: RFC 3339, in whole seconds. */
  readonly now: string;
}

export interface ScalePaths {
  /** JSON path such as ".spec.replicas". */
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly labelSelector: string | null;
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format: string;
  readonly description: string;
  /** 0: the column is always shown; 1: only with -o wide. */
  readonly priority: number;
  value(object: JsonObject, now: string): string | number | boolean | null;
}

/** Rules for a change of only the resources of a pod and its containers. */
export interface Resizing {
  /**
   * Returns `old` with the resources of `object`. If the containers differ, it returns `object` unchanged, and
   * validation refuses it.
   */
  narrow(object: JsonObject, old: JsonObject): JsonObject;
  validate(object: JsonObject, old: JsonObject, context: StrategyContext): readonly FieldError[];
}

/** How a pod is deleted: a delete sets its deletionTimestamp, and the pod is removed once the node confirms. */
export interface GracefulDeletion {
  /** Grace period in seconds if the delete names none. */
  defaultSeconds(object: JsonObject): number;
  /** True if no node must confirm: the pod was never scheduled, or has already finished. */
  immediate(object: JsonObject): boolean;
}
