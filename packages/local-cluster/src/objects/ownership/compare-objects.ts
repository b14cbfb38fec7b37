/** Compares two objects of one type, by the fields that managers can own. */
import type { Json, JsonObject } from '../../../../../src/kube/object.ts';
import { isJsonObject, jsonEqual, ownField } from '../patch/json-value.ts';
import type { TypeNode } from '../type-node.ts';
import { draftFieldSet, type FieldSet, type FieldSetDraft, insertPath } from './field-set.ts';
import {
  type FieldsNode,
  fieldType,
  type IdentifiedItem,
  identifyItems,
  isBlank,
  isBuiltIn,
  type ItemsNode,
  rootType,
  shapeOf,
  UNTYPED,
} from './node-shape.ts';
import { fieldElement, type Path, type PathElement } from './path-element.ts';

/** Added, modified and removed fields. The sets are disjoint, except for items that begin or cease to share a key. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

interface Draft {
  readonly added: FieldSetDraft;
  readonly modified: FieldSetDraft;
  readonly removed: FieldSetDraft;
}

/**
 * The values of one field in the old and the new object; undefined: the object lacks the field. Never both undefined.
 */
interface Pair {
  readonly path: Path;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  readonly type: TypeNode;
}

type PairOf<T> = Pair & { readonly type: T };

export function compareObjects(before: JsonObject, after: JsonObject, type: TypeNode): Comparison {
  const draft: Draft = {
    added: draftFieldSet(),
    modified: draftFieldSet(),
    removed: draftFieldSet(),
  };
  compare(draft, { path: [], before, after, type: rootType(type) });
  return draft;
}

function compare(draft: Draft, pair: Pair): void {
  const shape = shapeOf(pair.type);
  if (shape === 'leaf' || isLeafPair(pair, shape)) {
    compareLeaf(draft, pair);
    return;
  }
  if (pair.before === undefined) insertPath(draft.added, pair.path);
  else if (pair.after === undefined) insertPath(draft.removed, pair.path);
  if (shape.kind === 'list') compareItems(draft, { ...pair, type: shape });
  else compareFields(draft, { ...pair, type: shape });
}

/** True if both sides are empty or absent. Then they are compared as one value, so that empty differs from absent. */
function isLeafPair({ before, after }: Pair, shape: FieldsNode | ItemsNode): boolean {
  if (shape === UNTYPED) return !isFilledObject(before) && !isFilledObject(after);
  return isBlank(before) && isBlank(after);
}

function isFilledObject(value: Json | undefined): boolean {
  return isJsonObject(value) && !isBlank(value);
}

function compareLeaf(draft: Draft, { path, before, after }: Pair): void {
  if (before === undefined) insertPath(draft.added, path);
  else if (after === undefined) insertPath(draft.removed, path);
  else if (!jsonEqual(before, after)) insertPath(draft.modified, path);
}

function compareFields(draft: Draft, { path, before, after, type }: PairOf<FieldsNode>): void {
  if (isMixed(before, after)) insertPath(draft.modified, path);
  const always = alwaysThere(type);
  const names = new Set(namesOf(before));
  for (const name of namesOf(after)) names.add(name);
  for (const name of always) names.add(name);
  for (const name of names) {
    const at = { name, type, isAlways: always.includes(name) };
    const parts = { before: partOf(before, at), after: partOf(after, at) };
    if (parts.before === undefined && parts.after === undefined) continue;
    compare(draft, { ...parts, path: [...path, fieldElement(name)], type: fieldType(type, name) });
  }
}

function namesOf(value: Json | undefined): string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}

interface FieldPlace {
  readonly name: string;
  readonly type: FieldsNode;
  readonly isAlways: boolean;
}

/**
 * The field on one side. A field that always exists is null if it is blank, so that blank values are equal. Any other
 * field of a built-in type is absent if it is null.
 */
function partOf(value: Json | undefined, { name, type, isAlways }: FieldPlace): Json | undefined {
  if (value === undefined) return undefined;
  const part = isJsonObject(value) ? ownField(value, name) : undefined;
  if (isAlways) return isBlank(part) ? null : part;
  return isBuiltIn(type) && part === null ? undefined : part;
}

/** True if one side is an object and the other is not. */
function isMixed(before: Json | undefined, after: Json | undefined): boolean {
  return isJsonObject(before) !== isJsonObject(after) && !isBlank(before) && !isBlank(after);
}

function compareItems(draft: Draft, { path, before, after, type }: PairOf<ItemsNode>): void {
  const left = groupItems(identifyItems(type, before));
  const right = groupItems(identifyItems(type, after));
  for (const element of new Set([...left.keys(), ...right.keys()])) {
    compareGroup(draft, {
      path: [...path, element],
      before: left.get(element) ?? [],
      after: right.get(element) ?? [],
      type: type.items,
    });
  }
}

function groupItems(items: readonly IdentifiedItem[]): Map<PathElement, Json[]> {
  const groups = new Map<PathElement, Json[]>();
  for (const { element, item } of items) {
    groups.set(element, [...(groups.get(element) ?? []), item]);
  }
  return groups;
}

interface Group {
  readonly path: Path;
  readonly before: readonly Json[];
  readonly after: readonly Json[];
  readonly type: TypeNode;
}

/**
 * Compares the items with one key. Several items with the same key are compared as a whole. If one side has several
 * items and the other side has one or none, the several count as added or removed.
 */
function compareGroup(draft: Draft, { path, before, after, type }: Group): void {
  if (before.length <= 1 && after.length <= 1) {
    compare(draft, { path, before: before[0], after: after[0], type });
  } else if (before.length > 1 && after.length > 1) {
    if (!jsonEqual([...before], [...after])) insertPath(draft.modified, path);
  } else if (before.length > 1) {
    if (after.length > 0) compare(draft, { path, before: undefined, after: after[0], type });
    insertPath(draft.removed, path);
  } else {
    if (before.length > 0) compare(draft, { path, before: before[0], after: undefined, type });
    insertPath(draft.added, path);
  }
}

/**
 * Fields that objects of a real server always have because of its Go types, if only as an empty object or list. They
 * have no owner: the creator of a Deployment owns `spec.replicas`, but not `spec`. It does own
 * `spec.strategy.rollingUpdate`, which can be absent.
 *
 * The keys are names of types. Types with metadata also always have metadata, spec and status.
 */
const ALWAYS_THERE: Readonly<Record<string, readonly string[]>> = {
  Binding: ['target'],
  ClusterRoleBinding: ['roleRef'],
  Container: ['resources'],
  ContainerStatus: ['state', 'lastState'],
  CronJobSpec: ['jobTemplate'],
  CustomResourceDefinitionSpec: ['names'],
  CustomResourceDefinitionStatus: ['acceptedNames', 'conditions'],
  DaemonSetSpec: ['template', 'updateStrategy'],
  DeploymentSpec: ['template', 'strategy'],
  Endpoint: ['conditions'],
  EphemeralContainer: ['resources'],
  Event: ['involvedObject', 'source', 'regarding', 'deprecatedSource'],
  HTTPIngressPath: ['backend'],
  HorizontalPodAutoscalerSpec: ['scaleTargetRef'],
  IngressServiceBackend: ['port'],
  IngressStatus: ['loadBalancer'],
  JobSpec: ['template'],
  MutatingWebhook: ['clientConfig'],
  NodeDaemonEndpoints: ['kubeletEndpoint'],
  NodeStatus: ['daemonEndpoints', 'nodeInfo'],
  PersistentVolumeClaimSpec: ['resources'],
  PodSpec: ['containers'],
  PodTemplate: ['template'],
  PreferredSchedulingTerm: ['preference'],
  ReplicaSetSpec: ['template'],
  RoleBinding: ['roleRef'],
  ServiceStatus: ['loadBalancer'],
  StatefulSetSpec: ['template', 'updateStrategy'],
  ValidatingWebhook: ['clientConfig'],
  VolumeAttachmentSpec: ['source'],
  WeightedPodAffinityTerm: ['podAffinityTerm'],
};

const OF_OBJECTS: readonly string[] = ['metadata', 'spec', 'status'];

/** Cache of `namesFor`. A type never changes, and all writes use the same few types. */
const known = new WeakMap<FieldsNode, readonly string[]>();

function alwaysThere(type: FieldsNode): readonly string[] {
  const names = known.get(type) ?? namesFor(type);
  known.set(type, names);
  return names;
}

function namesFor(type: FieldsNode): readonly string[] {
  if (type.kind === 'map' || type.typeName === '') return [];
  const isObject = type.field('metadata') !== undefined;
  const names = [...(isObject ? OF_OBJECTS : []), ...(ALWAYS_THERE[type.typeName] ?? [])];
  return names.filter((name) => type.field(name) !== undefined);
}
