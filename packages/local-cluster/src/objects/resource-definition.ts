import type { JsonObject } from '../../../../src/kube/object.ts';
import type { CancelSignal } from '../../../../src/platform/platform.ts';
import type { FeatureGates } from '../../../../src/model/feature-gates.ts';
import type { FieldError } from './field-error.ts';
import type { NameRule } from './metadata-names.ts';
import type { TypeNode } from './type-node.ts';

/**
 * One resource as the API server serves it, built in or custom. Everything that differs between kinds is
 * here; the request path has no branch for any of them. All functions are pure; none changes its input.
 */
export interface ResourceDefinition {
  /** '' for the core group. */
  readonly group: string;
  /** Which refusals name with the kind, where it is not its own: that of a kind of two groups. */
  readonly errorGroup?: string;
  /** The version that requests name; a kind with several has one definition each, stored as one. */
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** "deployments.apps": the same for all versions of a kind; the store's name for it. */
  readonly storageName: string;
  /** Of the subresources every kind can have; logs, exec and the like are routes of their own. */
  readonly subresources: { readonly status: boolean; readonly scale: ScalePaths | null };
  /** Absent verbs are answered 405: reviews can only be created. */
  readonly verbs: readonly Verb[];
  readonly type: TypeNode;
  /** Kept and served, but nothing acts on it; a write is answered with this warning header. */
  readonly inertWarning?: string;
  /** Every answer has this as a warning header. */
  readonly deprecation?: string;
  /** Custom: pruned and defaulted by its structural schema. Built in: dropped fields as in Kubernetes. */
  readonly custom: boolean;
  /** Of a custom kind: aborts when it is not served in this form any more. Who watches lists anew then. */
  readonly ended?: CancelSignal;
  /** The form of metadata.name, for `validateMetadata`; left out: a DNS subdomain. */
  readonly nameRule?: NameRule;
  /** A finalizer needs no domain, for `validateMetadata`; left out: only a standard one does not. */
  readonly plainFinalizers?: boolean;
  /** What a write of the status leaves as it was, and so comes to be owned by nobody. */
  readonly statusLeaves: readonly (readonly string[])[];
  /** Where this version differs from the one that is stored in more than its apiVersion. */
  readonly conversion?: StoredForm;

  /** Fills what was left out, also what a gate drops; runs before admission and validation. */
  defaults(object: JsonObject): JsonObject;
  /**
   * The caller has set metadata (name, uid, creationTimestamp; on update the old resourceVersion) before.
   * What the server itself decides on create (status cleared, phase set, names filled in) and on update
   * (status kept from `old`, generation raised when the spec changed, gated fields dropped or kept).
   */
  prepareForCreate(object: JsonObject, context: StrategyContext): JsonObject;
  prepareForUpdate(object: JsonObject, old: JsonObject, context: StrategyContext): JsonObject;
  /** Everything but the status, and what of the metadata may come with it, kept from `old`. */
  prepareForStatusUpdate(object: JsonObject, old: JsonObject, context: StrategyContext): JsonObject;
  /** `old`: undefined on create. Metadata is validated by the caller for all kinds alike. */
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
  /** Adds fields to a new object after validation; `given`: as the client sent it. Left out: adds none. */
  readonly complete?: (validated: JsonObject, given: JsonObject) => JsonObject;
  /** Warnings about a valid object; left out: none. `old`: undefined on create. */
  readonly warn?: (object: JsonObject, old: JsonObject | undefined) => readonly string[];
  /** Beyond metadata.name and metadata.namespace: `status.phase`, `spec.nodeName`… as text. */
  readonly fieldSelectors: Readonly<Record<string, (object: JsonObject) => string>>;
  /** What is said about a field that is none of them; left out: what most kinds say. */
  readonly unknownField?: (field: string) => string;
  /** For `kubectl get`; name and age are in the list. */
  readonly columns: readonly PrinterColumn[];
  /** Grace of a delete that names none; null: gone at once. Pods only. */
  readonly graceful?: GracefulDeletion;
  /** Of the subresource `resize`; left out: it is not served. Pods only. */
  readonly resize?: Resizing;
}

/** From and to the stored version of a kind that has several; apiVersion included. */
export interface StoredForm {
  toStored(object: JsonObject): JsonObject;
  fromStored(stored: JsonObject): JsonObject;
}

/** In the order in which discovery tells them. */
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
  /** ".spec.replicas" */
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

/** A change of nothing but the resources of a pod and of its containers. */
export interface Resizing {
  /** `object` with everything else as in `old`; as it is where its containers are others, to be refused. */
  narrow(object: JsonObject, old: JsonObject): JsonObject;
  validate(object: JsonObject, old: JsonObject, context: StrategyContext): readonly FieldError[];
}

/** How a pod goes: marked with a time first, removed by the node's confirmation. */
export interface GracefulDeletion {
  /** Seconds for an object when the caller names none. */
  defaultSeconds(object: JsonObject): number;
  /** True: no need to wait for anybody (never scheduled, or finished already). */
  immediate(object: JsonObject): boolean;
}
