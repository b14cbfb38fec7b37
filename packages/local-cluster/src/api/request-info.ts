/** Reads the resource from a path, as a real API server does; null for other paths (/healthz, /apis). */
import type { Verb } from '../objects/resource-definition.ts';

export interface ResourceRequest {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** '': all namespaces, or a kind without. */
  readonly namespace: string;
  /** '' for the collection. */
  readonly name: string;
  /** '' for the object itself. */
  readonly subresource: string;
}

/** /api/v1/PLURAL…, /apis/GROUP/VERSION/PLURAL…, with or without `namespaces/NAMESPACE/` before the plural. */
export function readResourcePath(path: string): ResourceRequest | null {
  const parts = path.split('/').slice(1);
  const [prefix] = parts;
  if (prefix === 'api') return isNested(parts) ? null : readParts('', parts.slice(1));
  if (prefix === 'apis') return readParts(parts[1] ?? '', parts.slice(2));
  return null;
}

/** Namespaces are not nested. */
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

/** A Namespace counts as inside itself. */
function namespaceOf([first, second = '']: readonly string[]): string {
  return first === 'namespaces' ? second : '';
}

/** namespaces/NAMESPACE/PLURAL…, but not namespaces/NAMESPACE/status. */
function isWithin([first, , third]: readonly string[]): boolean {
  return first === 'namespaces' && third !== undefined && !NAMESPACE_SUBRESOURCES.has(third);
}

const NAMESPACE_SUBRESOURCES: ReadonlySet<string> = new Set(['status', 'finalize']);

/** The verb for the method on that object or collection; null: the method is not allowed. */
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

/** A flag without a value is set. */
export function isTrue(value: string | null): boolean {
  return value !== null && !['false', '0'].includes(value.toLowerCase());
}
