/** What one built-in kind says about itself; `defineKind` adds what all of them have in common. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import type { FieldError } from '../field-error.ts';
import type { GatedFields } from '../gated-fields.ts';
import type { NameRule } from '../metadata-names.ts';
import type { DefaultRow, Rule, TemplateSpec } from './interpret.ts';
import type {
  GracefulDeletion,
  PrinterColumn,
  Resizing,
  ScalePaths,
  StoredForm,
  StrategyContext,
  Verb,
} from '../resource-definition.ts';

export interface KindSpec {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  /** Where it is not the plural and the group: kinds that two groups serve from one store. */
  readonly storageName?: string;
  readonly conversion?: StoredForm;
  /** The group that refusals name with the kind, where it is not its own. */
  readonly errorGroup?: string;
  /** Left out: all of them. */
  readonly verbs?: readonly Verb[];
  /** A status subresource, so that plain writes leave the status alone. */
  readonly status?: boolean;
  /** Metadata (`labels`), or all of it, that a write of the status leaves as it was; left out: none. */
  readonly statusKeeps?: readonly string[] | 'metadata';
  readonly scale?: ScalePaths;
  readonly inert?: boolean;
  /** Every answer has this as a warning. */
  readonly deprecation?: string;
  /** Fields (`spec`, `metadata.annotations`) whose change raises the generation; left out: it has none. */
  readonly generationOf?: readonly string[];
  /** Fields behind gates that are off in the version that the local cluster follows; one list for each gate. */
  readonly gated?: readonly GatedFields[];
  /** Left out: a DNS subdomain. */
  readonly nameRule?: NameRule;
  /** A finalizer needs no domain; left out: only a standard one does not. */
  readonly plainFinalizers?: boolean;
  readonly columns: readonly PrinterColumn[];
  readonly fieldSelectors?: Readonly<Record<string, (object: JsonObject) => string>>;
  readonly unknownField?: (field: string) => string;
  readonly graceful?: GracefulDeletion;
  readonly resize?: Resizing;

  /** Read by interpret.ts, before the functions below. */
  readonly defaults?: readonly DefaultRow[];
  readonly rules?: readonly Rule[];
  readonly statusRules?: readonly Rule[];
  readonly template?: TemplateSpec;
  /** The status of a new object; left out: an empty one, where the kind has one. */
  readonly newStatus?: JsonObject;

  /** These four change the copy that they are given. */
  fill?(draft: JsonObject): void;
  onCreate?(draft: JsonObject, context: StrategyContext): void;
  onUpdate?(draft: JsonObject, old: JsonObject, context: StrategyContext): void;
  onStatusUpdate?(draft: JsonObject, old: JsonObject, context: StrategyContext): void;

  /** Adds fields to a new object after validation; `given`: as the client sent it. */
  readonly complete?: (validated: JsonObject, given: JsonObject) => JsonObject;

  check?(
    object: JsonObject,
    old: JsonObject | undefined,
    context: StrategyContext,
  ): readonly FieldError[];
  checkStatus?(object: JsonObject, old: JsonObject): readonly FieldError[];
}
