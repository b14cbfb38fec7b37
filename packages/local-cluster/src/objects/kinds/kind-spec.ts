/** The spec of one built-in kind. `defineKind` adds the behaviour that all kinds share. */
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
  /** Name of the store; default: plural and group. Set for a kind that two groups serve from one store. */
  readonly storageName?: string;
  readonly conversion?: StoredForm;
  /** Group in error messages; default: `group`. */
  readonly errorGroup?: string;
  /** Verbs of the kind; default: all. */
  readonly verbs?: readonly Verb[];
  /** True if the kind has a status subresource; then other writes keep the status. */
  readonly status?: boolean;
  /** Metadata that an update of the status does not change: fields such as `labels`, or all of it; absent: none. */
  readonly statusKeeps?: readonly string[] | 'metadata';
  readonly scale?: ScalePaths;
  readonly inert?: boolean;
  /** Text of a warning header in every response. */
  readonly deprecation?: string;
  /** Paths such as `spec` whose change raises the generation; absent if the kind has no generation. */
  readonly generationOf?: readonly string[];
  /** Fields of feature gates that are off in the Kubernetes version that we follow; one list for each gate. */
  readonly gated?: readonly GatedFields[];
  /** Syntax of names; default: a DNS subdomain. */
  readonly nameRule?: NameRule;
  /** True if a finalizer needs no domain; otherwise only the standard ones need none. */
  readonly plainFinalizers?: boolean;
  readonly columns: readonly PrinterColumn[];
  readonly fieldSelectors?: Readonly<Record<string, (object: JsonObject) => string>>;
  readonly unknownField?: (field: string) => string;
  readonly graceful?: GracefulDeletion;
  readonly resize?: Resizing;

  /** Rows that are applied before the functions below run. */
  readonly defaults?: readonly DefaultRow[];
  readonly rules?: readonly Rule[];
  readonly statusRules?: readonly Rule[];
  readonly template?: TemplateSpec;
  /** Status of a new object; default: an empty one if the kind has a status. */
  readonly newStatus?: JsonObject;

  /** These four functions may change `draft`, which is a copy. */
  fill?(draft: JsonObject): void;
  onCreate?(draft: JsonObject, context: StrategyContext): void;
  onUpdate?(draft: JsonObject, old: JsonObject, context: StrategyContext): void;
  onStatusUpdate?(draft: JsonObject, old: JsonObject, context: StrategyContext): void;

  /** Adds fields to a new object after its validation. `given`: the object as the client sent it. */
  readonly complete?: (validated: JsonObject, given: JsonObject) => JsonObject;

  check?(
    object: JsonObject,
    old: JsonObject | undefined,
    context: StrategyContext,
  ): readonly FieldError[];
  checkStatus?(object: JsonObject, old: JsonObject): readonly FieldError[];
}
