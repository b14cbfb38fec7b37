/** Replaces images in manifests by their built references, by the rules of skaffold. Pure. */
import { isObject } from '../../../kube/fields.ts';
import type { Json } from '../../../kube/object.ts';
import { parseImageName } from '../hooks/image-name.ts';

export interface Substituted<T> {
  readonly value: T;
  /** Names of the built images that the value uses. */
  readonly used: ReadonlySet<string>;
  /** Names of the built images that the value uses by digest. These uses are left unchanged. */
  readonly pinned: ReadonlySet<string>;
}

/**
 * Lists in which images are replaced, wherever they are: in pods, in pod templates, and in objects of unknown kinds.
 */
const CONTAINER_LISTS = new Set(['containers', 'initContainers', 'ephemeralContainers']);

/** Maximum depth of nested values: deeper parts of manifests are left unchanged. */
const MAX_DEPTH = 100;

/**
 * Replaces the names of built images in a value. `references`: the reference that replaces each built image, keyed by
 * the image's name without tag.
 *
 * Worked example, where web was built as localhost:5000/web:v1: "web" and "web:old" become localhost:5000/web:v1;
 * "web-db", "acme/web" and "web@sha256:…" stay, and so does an `image` field that is in no container.
 */
export function substituteImages<T extends Json>(
  value: T,
  references: ReadonlyMap<string, string>,
): Substituted<T> {
  const found = { references, used: new Set<string>(), pinned: new Set<string>() };
  const replaced = replaceIn(value, found, 0) as T;
  return { value: replaced, used: found.used, pinned: found.pinned };
}

interface Found {
  readonly references: ReadonlyMap<string, string>;
  readonly used: Set<string>;
  readonly pinned: Set<string>;
}

function replaceIn(value: Json, found: Found, depth: number): Json {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, found, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      CONTAINER_LISTS.has(name) && Array.isArray(part)
        ? part.map((item) => replaceIn(withImage(item, found), found, depth + 1))
        : replaceIn(part, found, depth + 1),
    ]),
  );
}

function withImage(container: Json, found: Found): Json {
  if (!isObject(container)) return container;
  const { image } = container;
  return typeof image === 'string' ? { ...container, image: meant(image, found) } : container;
}

function meant(image: string, { references, used, pinned }: Found): string {
  const { repo } = parseImageName(image);
  const asBuilt = [...references].find(([, built]) => built === image);
  if (asBuilt !== undefined) used.add(asBuilt[0]);
  const reference = references.get(repo);
  if (reference === undefined || reference === image) return image;
  if (image.includes('@')) {
    pinned.add(image);
    return image;
  }
  used.add(repo);
  return reference;
}
