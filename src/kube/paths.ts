/** Paths of an API server: objects, collections, subresources and queries. */
import type { DocumentPath } from '../model/located-document.ts';
import { fieldsAt, textAt } from './fields.ts';
import type { Resource } from './object.ts';

export interface Place {
  /** Namespace of the object. For a collection, absent means all namespaces. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** The path of an object or a collection. The namespace of a cluster-scoped kind is ignored. */
export function pathOf(resource: Resource, { namespace, name, subresource }: Place): string {
  const { group, version, plural, namespaced } = resource;
  const root = group === '' ? ['api', version] : ['apis', group, version];
  const within = namespaced && namespace !== undefined ? ['namespaces', namespace] : [];
  const rest = [name, subresource].filter((part) => part !== undefined);
  return `/${[...root, ...within, plural, ...rest].map(encodeURIComponent).join('/')}`;
}

/** The path of one object; a namespaced kind requires a namespace. */
export function objectPath(resource: Resource, place: Place & { name: string }): string {
  requireNamespace(resource, place);
  if (place.name === '') throw new Error(`the name of a ${resource.kind} is required`);
  return pathOf(resource, place);
}

/** The path at which objects are created. */
export function collectionPath(resource: Resource, namespace: string | undefined): string {
  requireNamespace(resource, { namespace });
  return pathOf(resource, { namespace });
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Appends the query, without undefined values. */
export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return path;
  const pairs = given.map(
    ([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`,
  );
  return `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

function requireNamespace({ namespaced, kind }: Resource, { namespace }: Place): void {
  if (!namespaced || (namespace !== undefined && namespace !== '')) return;
  throw new Error(`a ${kind} lives in a namespace, and none was given`);
}

/** The fields of an object that was not validated. */
export type Fields = Readonly<Record<string, unknown>>;

/** The metadata and the spec of a pod or a pod template. */
interface FoundPod {
  readonly pod: Fields;
  /** The path of the pod in the object. */
  readonly path: DocumentPath;
}

const POD_AT: ReadonlyMap<string, readonly string[]> = new Map([
  ['Pod', []],
  ['PodTemplate', ['template']],
  ['Deployment', ['spec', 'template']],
  ['ReplicaSet', ['spec', 'template']],
  ['ReplicationController', ['spec', 'template']],
  ['StatefulSet', ['spec', 'template']],
  ['DaemonSet', ['spec', 'template']],
  ['Job', ['spec', 'template']],
  ['CronJob', ['spec', 'jobTemplate', 'spec', 'template']],
]);

/** The pod or the pod template in an object of any kind; null: the object contains none. Pure. */
export function podOf(object: Fields): FoundPod | null {
  const path = POD_AT.get(textAt(object, 'kind'));
  if (path === undefined) return null;
  return { pod: path.length === 0 ? object : fieldsAt(object, ...path), path };
}
