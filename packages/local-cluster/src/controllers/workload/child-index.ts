/** Finds the children of workload controllers: the objects that an owner controls, and orphans. */
import { controllerOf } from '../../../../../src/controller/indexes.ts';
import type { Informer } from '../../../../../src/controller/informer.ts';
import { keyOf } from '../../../../../src/controller/object-key.ts';
import type { Indexes } from '../../../../../src/controller/object-cache.ts';
import type { KubeObject, OwnerReference } from '../../../../../src/kube/object.ts';
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { matchesSelector } from '../../objects/selector-object.ts';

const INDEX = 'controller-or-orphan';

/**
 * Index of children by their owner, and of orphans by their namespace. It is one shared object, because an informer
 * adds each index object only once.
 */
export const childIndex: Indexes<KubeObject> = {
  [INDEX]: (child) => [controllerOf(child)?.uid ?? orphansOf(child)],
};

/** The owner's children, and the orphans of its namespace, which it may adopt. */
export function candidatesFor<T extends KubeObject>(
  children: Informer<T>,
  owner: KubeObject,
): readonly T[] {
  return [
    ...children.byIndex(INDEX, owner.metadata?.uid ?? ''),
    ...children.byIndex(INDEX, orphansOf(owner)),
  ];
}

/** The objects that the owner with this uid controls. */
export function childrenOf<T extends KubeObject>(children: Informer<T>, uid: string): readonly T[] {
  return children.byIndex(INDEX, uid);
}

/** The uid of the controlling owner, if there is one. */
export function ownersUid(child: KubeObject): readonly string[] {
  const owner = controllerOf(child);
  return owner === undefined ? [] : [owner.uid];
}

/** Keys of the owners that a child concerns. An orphan concerns every owner that could adopt it. */
export function ownerKeys<
  T extends KubeObject & { readonly spec?: { readonly selector?: object } },
>(
  owners: Informer<T>,
  child: KubeObject,
  keyOfController: (child: KubeObject) => readonly string[],
): readonly string[] {
  if (controllerOf(child) !== undefined) return keyOfController(child);
  return owners
    .byIndex('namespace', child.metadata?.namespace ?? '')
    .filter(({ spec }) => selects(spec?.selector, child))
    .map((owner) => keyOf(owner));
}

/** Index value of the orphans of a namespace. It has a slash, and a uid has none, so the two never collide. */
function orphansOf({ metadata }: KubeObject): string {
  return `orphans/${metadata?.namespace ?? ''}`;
}

/** The owner reference that makes an object a child of its owner. */
export function controllerReference(
  kind: { readonly apiVersion: string; readonly kind: string },
  { metadata }: KubeObject,
): OwnerReference {
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    name: metadata?.name ?? '',
    uid: metadata?.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

/**
 * True if the selector matches the labels. Kinds have different selector types, so `selector` is a plain object here.
 */
export function selects(selector: object | undefined, { metadata }: KubeObject): boolean {
  return matchesSelector(selector as JsonObject | undefined, metadata?.labels ?? {});
}

/** True for a selector that is set but empty: it would match every object. */
export function selectsEverything(selector: object | undefined): boolean {
  if (selector === undefined) return false;
  return Object.values(selector).every((part: unknown) => isEmptyPart(part));
}

function isEmptyPart(part: unknown): boolean {
  return typeof part !== 'object' || part === null || Object.keys(part).length === 0;
}
