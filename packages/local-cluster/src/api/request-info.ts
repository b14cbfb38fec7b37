/** Reads the requested resource from a path, as a real API server does. */
import type { Verb } from '../objects/resource-definition.ts';

export interface ResourceRequest {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** '' for all namespaces, and for a cluster-scoped kind. */
  readonly namespace: string;
  /** Name of the object; '' for a request on the collection. */
  readonly name: string;
  /** Name of the subresource; '' for a request on the object itself. */
  readonly subresource: string;
}

/**
 * Returns null for other paths, such as /healthz and /apis. A resource has one of these paths, also with
 * `namespaces/NAMESPACE/` before the plural:
 *
 *     /api/v1/PLURAL…
 *     /apis/GROUP/VERSION/PLURAL…
 */
export function readResourcePath(path: string): ResourceRequest | null {
  const parts = path.split('/').slice(1);
  const [prefix] = parts;
  if (prefix === 'api') return isNested(parts) ? null : readParts('', parts.slice(1));
  if (prefix === 'apis') return readParts(parts[1] ?? '', parts.slice(2));
  return null;
}

/** True for namespaces/NAMESPACE/namespaces: namespaces are not nested. */
function isNested([, , first, , third]: readonly string[]): boolean {
  return first === 'namespaces' && third === 'namespaces';
}

function readParts(group: string, [version, ...parts]: readonly string[]): ResourceRequest | null {
  if (version === undefined || (parts[0] ?? '') === '') return null;
  const within = isWithin(parts);
  const [plural = '', name = '', subresource = '', ...more] = within ? parts.slice(2) : parts;
  if (more.length > 0) return null;
  return { group, version, plural, namespace: namespaceOf(parts), name, subresource };
}

/** The namespace in the path. For a Namespace object it is the object's own name. */
function namespaceOf([first, second = '']: readonly string[]): string {
  return first === 'namespaces' ? second : '';
}

/** True for namespaces/NAMESPACE/PLURAL…, but false for a subresource such as namespaces/NAMESPACE/status. */
function isWithin([first, , third]: readonly string[]): boolean {
  return first === 'namespaces' && third !== undefined && !NAMESPACE_SUBRESOURCES.has(third);
}

const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(['status', 'finalize']);

/** The verb of a method on an object or a collection; null if the method is not allowed. */
export function verbOf(
  method: string,
  { name }: ResourceRequest,
  query: URLSearchParams,
): Verb | null {
  if (name !== '') return OF_OBJECTS[method] ?? null;
  if (READS.has(method) && isTrue(query.get('watch'))) return 'watch';
  return OF_COLLECTIONS[method] ?? null;
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

const OF_OBJECTS: Readonly<Record<string, Verb>> = {
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

const OF_COLLECTIONS: Readonly<Record<string, Verb>> = {
  GET: 'list',
  HEAD: 'list',
  POST: 'create',
  DELETE: 'deletecollection',
};

/** Whether a query flag is true. A flag without a value, such as `?watch`, is true. */
export function isTrue(value: string | null): boolean {
  return value !== null && !['false', '0'].includes(value.toLowerCase());
}
