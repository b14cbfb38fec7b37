/** The spec of one built-in kind; `defineKind` adds the behaviour that all kinds share. */
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

type Names = Pick<KindSpec, 'group' | 'version' | 'kind' | 'plural' | 'shortNames' | 'namespaced'>;

export function inNamespace(
  apiVersion: string,
  kind: string,
  ...shortNames: readonly string[]
): Names {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  return {
    group,
    version,
    kind,
    plural: pluralOf(kind.toLowerCase()),
    shortNames,
    namespaced: true,
  };
}

export function inCluster(
  apiVersion: string,
  kind: string,
  ...shortNames: readonly string[]
): Names {
  return { ...inNamespace(apiVersion, kind, ...shortNames), namespaced: false };
}

function pluralOf(name: string): string {
  if (name.endsWith('y')) return `${name.slice(0, -1)}ies`;
  return name.endsWith('s') ? `${name}es` : `${name}s`;
}

export interface KindSpec {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  /** Present if it is not the plural and the group: for kinds that two groups serve from one store. */
  readonly storageName?: string;
  readonly conversion?: StoredForm;
  /** The group in error messages; absent: `group`. */
  readonly errorGroup?: string;
  /** Absent: all verbs. */
  readonly verbs?: readonly Verb[];
  /** Whether the kind has a status subresource, so that other writes keep the status. */
  readonly status?: boolean;
  /** Metadata fields (`labels`), or all metadata, that a write of the status keeps; absent: none. */
  readonly statusKeeps?: readonly string[] | 'metadata';
  readonly scale?: ScalePaths;
  readonly inert?: boolean;
  /** Warning header on every answer. */
  readonly deprecation?: string;
  /** Fields (`spec`, `metadata.annotations`) whose change raises the generation; absent: it has none. */
  readonly generationOf?: readonly string[];
  /** Fields whose gates are off in the Kubernetes version that the local cluster follows; one list per gate. */
  readonly gated?: readonly GatedFields[];
  /** Absent: a DNS subdomain. */
  readonly nameRule?: NameRule;
  /** Whether finalizers need no domain; absent: only standard ones need none. */
  readonly plainFinalizers?: boolean;
  readonly columns: readonly PrinterColumn[];
  readonly fieldSelectors?: Readonly<Record<string, (object: JsonObject) => string>>;
  readonly unknownField?: (field: string) => string;
  readonly graceful?: GracefulDeletion;
  readonly resize?: Resizing;

  /** Interpreted by interpret.ts, before the functions below run. */
  readonly defaults?: readonly DefaultRow[];
  readonly rules?: readonly Rule[];
  readonly statusRules?: readonly Rule[];
  readonly template?: TemplateSpec;
  /** The status of a new object; absent: an empty one if the kind has a status. */
  readonly newStatus?: JsonObject;

  /** These four functions change the copy that they get. */
  fill?(draft: JsonObject): void;
  onCreate?(draft: JsonObject, context: StrategyContext): void;
  onUpdate?(draft: JsonObject, old: JsonObject, context: StrategyContext): void;
  onStatusUpdate?(draft: JsonObject, old: JsonObject, context: StrategyContext): void;

  /** Adds fields to a new object after validation; `given`: the object of the client. */
  readonly complete?: (validated: JsonObject, given: JsonObject) => JsonObject;

  check?(
    object: JsonObject,
    old: JsonObject | undefined,
    context: StrategyContext,
  ): readonly FieldError[];
  checkStatus?(object: JsonObject, old: JsonObject): readonly FieldError[];
}
