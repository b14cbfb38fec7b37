/**
 * Creates the resource definition of a built-in kind from its spec and from the behaviour that all kinds share. A
 * kind's functions get a copy that they may change. The caller's object is never changed.
 */
import type { JsonObject, Json } from '../../../../../src/kube/object.ts';
import { dropGatedFields } from '../gated-fields.ts';
import { copyJson } from '../patch/json-value.ts';
import {
  ALL_VERBS,
  type ResourceDefinition,
  type StrategyContext,
} from '../resource-definition.ts';
import { builtinType } from '../table/builtin-type.ts';
import type { TypeNode } from '../type-node.ts';
import {
  at,
  fieldsAt,
  fillObject,
  numberAt,
  isObject,
  objectAt,
} from '../../../../../src/kube/fields.ts';
import type { KindSpec } from './kind-spec.ts';
import { sameMeaning } from './field-checks.ts';
import { compileRules, fillDefaults, templatePath } from './interpret.ts';
import { dropGatedPodFields } from './pod/gated-pod-fields.ts';
import { canonicalQuantity } from '../../../../../src/kube/quantity.ts';

export function defineKind(spec: KindSpec): ResourceDefinition {
  const type = typeOf(spec);
  const check = compileRules(spec);
  const checkStatus = compileRules({ rules: spec.statusRules ?? [] });
  return {
    ...names(spec),
    subresources: { status: spec.status === true, scale: spec.scale ?? null },
    verbs: spec.verbs ?? ALL_VERBS,
    type,
    custom: false,
    ...warnings(spec),
    ...asGiven(spec),
    statusLeaves: statusLeaves(spec),
    columns: spec.columns,
    fieldSelectors: spec.fieldSelectors ?? {},
    defaults(object) {
      const draft = copyJson(object);
      canonicalQuantities(draft, type);
      // The status is set even if it is empty, because it is a struct in the Go type of a real server.
      if (spec.status === true) fillObject(draft, 'status');
      fillDefaults(draft, spec.defaults ?? [], spec.template);
      spec.fill?.(draft);
      return draft;
    },
    ...strategyOf(spec),
    validate: (object, old, context) => [
      ...check(object, old, context),
      ...(spec.check?.(object, old, context) ?? []),
    ],
    validateStatus: (object, old, context) => [
      ...checkStatus(object, old, context),
      ...(spec.checkStatus?.(object, old) ?? []),
    ],
  };
}

const AS_GIVEN = [
  'errorGroup',
  'nameRule',
  'plainFinalizers',
  'conversion',
  'unknownField',
  'complete',
  'graceful',
  'resize',
] as const;

/** The fields of AS_GIVEN that the spec sets; the others stay absent. */
function asGiven(spec: KindSpec): Pick<ResourceDefinition, (typeof AS_GIVEN)[number]> {
  return Object.fromEntries(
    AS_GIVEN.flatMap((name) => (spec[name] === undefined ? [] : [[name, spec[name]]])),
  );
}

function names(
  spec: KindSpec,
): Pick<
  ResourceDefinition,
  | 'group'
  | 'version'
  | 'kind'
  | 'listKind'
  | 'plural'
  | 'singular'
  | 'shortNames'
  | 'categories'
  | 'namespaced'
  | 'storageName'
> {
  const { group, version, kind, plural, namespaced } = spec;
  return {
    group,
    version,
    kind,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    shortNames: spec.shortNames ?? [],
    categories: spec.categories ?? [],
    namespaced,
    storageName: spec.storageName ?? (group === '' ? plural : `${plural}.${group}`),
  };
}

function typeOf({ group, version, kind }: KindSpec): TypeNode {
  const type = builtinType(group, version, kind);
  if (type === undefined) throw new Error(`the table has no type ${group}/${version} ${kind}`);
  return type;
}

function warnings({
  kind,
  plural,
  inert,
  deprecation,
}: KindSpec): Pick<ResourceDefinition, 'inertWarning' | 'deprecation'> {
  const inertWarning = `${kind} is stored, but nothing in the local cluster acts on ${plural}`;
  return {
    ...(inert === true ? { inertWarning } : {}),
    ...(deprecation === undefined ? {} : { deprecation }),
  };
}

function strategyOf(
  spec: KindSpec,
): Pick<ResourceDefinition, 'prepareForCreate' | 'prepareForUpdate' | 'prepareForStatusUpdate'> {
  const { gated = [] } = spec;
  return {
    prepareForCreate(object, context) {
      const draft = copyJson(object);
      if (spec.status === true) draft['status'] = copyJson(spec.newStatus ?? {});
      if (spec.generationOf !== undefined) setGeneration(draft, 1);
      dropGatedFields(draft, undefined, gated);
      dropGatedInTemplate(spec, draft, { old: undefined, context });
      spec.onCreate?.(draft, context);
      return draft;
    },
    prepareForUpdate(object, old, context) {
      const draft = copyJson(object);
      if (spec.status === true) keepField(draft, old, 'status');
      dropGatedFields(draft, old, gated);
      dropGatedInTemplate(spec, draft, { old, context });
      spec.onUpdate?.(draft, old, context);
      setGeneration(draft, nextGeneration(spec, draft, old));
      return draft;
    },
    prepareForStatusUpdate(object, old, context) {
      const draft = copyJson(old);
      keepField(draft, object, 'status');
      draft['metadata'] = statusMetadata(spec, object, old);
      dropGatedFields(draft, old, gated);
      spec.onStatusUpdate?.(draft, old, context);
      return draft;
    },
  };
}

/** Removes fields of disabled feature gates from a pod template. `old`: the stored object; undefined on create. */
function dropGatedInTemplate(
  { template }: KindSpec,
  draft: JsonObject,
  { old, context }: { readonly old: JsonObject | undefined; readonly context: StrategyContext },
): void {
  if (template === undefined) return;
  const path = [...templatePath(template), 'spec'];
  const spec = objectAt(draft, ...path);
  if (spec !== undefined) dropGatedPodFields(spec, objectAt(old, ...path), context.gates);
}

function statusLeaves({ statusKeeps = [] }: KindSpec): readonly (readonly string[])[] {
  if (statusKeeps === 'metadata') return [['spec'], ['metadata']];
  return [['spec'], ...statusKeeps.map((name) => ['metadata', name])];
}

/** Metadata after an update of the status: the client's, except the parts in `statusKeeps`. */
function statusMetadata(spec: KindSpec, object: JsonObject, old: JsonObject): JsonObject {
  const [sent, before] = [fieldsAt(object, 'metadata'), fieldsAt(old, 'metadata')];
  if (spec.statusKeeps !== 'metadata') {
    const metadata = { ...sent };
    for (const name of spec.statusKeeps ?? []) keepField(metadata, before, name);
    return metadata;
  }
  const metadata = { ...before };
  for (const name of ['managedFields', 'resourceVersion']) keepField(metadata, sent, name);
  return metadata;
}

/** Copies a field from `other`; removes it if `other` does not have it. */
export function keepField(draft: JsonObject, other: JsonObject, name: string): void {
  const value = other[name];
  if (value === undefined) delete draft[name];
  else draft[name] = copyJson(value);
}

function setGeneration(draft: JsonObject, generation: number | undefined): void {
  const metadata = { ...fieldsAt(draft, 'metadata') };
  if (generation === undefined) delete metadata['generation'];
  else metadata['generation'] = generation;
  draft['metadata'] = metadata;
}

function nextGeneration(
  { generationOf }: KindSpec,
  draft: JsonObject,
  old: JsonObject,
): number | undefined {
  const before = numberAt(old, 'metadata', 'generation');
  if (generationOf === undefined) return before;
  const changed = generationOf.some((path) => {
    const steps = path.split('.');
    return !sameMeaning(at(draft, ...steps), at(old, ...steps));
  });
  return (before ?? 0) + (changed ? 1 : 0);
}

/** Converts each quantity to its stored form. Changes `draft`. */
function canonicalQuantities(draft: JsonObject, type: TypeNode): void {
  for (const [name, value] of Object.entries(draft)) {
    const node = fieldType(type, name);
    if (node !== undefined) draft[name] = canonical(value, node);
  }
}

function fieldType(type: TypeNode, name: string): TypeNode | undefined {
  if (type.kind === 'struct') return type.field(name);
  return type.kind === 'map' ? type.values : undefined;
}

function canonical(value: Json, node: TypeNode): Json {
  if (node.kind === 'scalar') return node.scalar === 'quantity' ? scalar(value) : value;
  if (node.kind === 'list' && Array.isArray(value)) {
    return value.map((item) => canonical(item, node.items));
  }
  if (isObject(value)) canonicalQuantities(value, node);
  return value;
}

function scalar(value: Json): Json {
  return typeof value === 'string' || typeof value === 'number'
    ? canonicalQuantity(String(value))
    : value;
}
