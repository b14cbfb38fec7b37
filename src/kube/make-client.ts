/** Implements the client: each method as an HTTP request. */
import type {
  ApplyOptions,
  DeleteOptions,
  KubeClient,
  KubeConnection,
  ListOptions,
  ObjectList,
  PatchOptions,
  RawRequest,
  WriteOptions,
} from './client.ts';
import { listPages } from './list-pages.ts';
import {
  apiVersionOf,
  type Json,
  type KubeObject,
  type ObjectKey,
  type Resource,
} from './object.ts';
import { parseObject } from './answer-error.ts';
import { collectionPath, objectPath, type Query, withQuery } from './paths.ts';
import { sendRequest, type UnaryRequest } from './unary-request.ts';

export function makeKubeClient(connection: KubeConnection): KubeClient {
  return {
    get: async (resource, key, options = {}) =>
      ask(connection, { ...options, method: 'GET', path: objectPath(resource, key) }),
    list: async (resource, options = {}) => list(connection, resource, options),
    create: async (resource, object, options = {}) =>
      ask(connection, {
        ...options,
        method: 'POST',
        path: withQuery(collectionPath(resource, object.metadata?.namespace), writeQuery(options)),
        body: typed(resource, object),
      }),
    replace: async (resource, object, options = {}) =>
      ask(connection, replacement(resource, object, { ...options, subresource: undefined })),
    replaceStatus: async (resource, object, options = {}) =>
      ask(connection, replacement(resource, object, { ...options, subresource: 'status' })),
    patch: async (resource, key, options) => ask(connection, patching(resource, key, options)),
    apply: async (resource, object, options) =>
      ask(connection, applying(resource, object, options)),
    delete: async (resource, key, options = {}) =>
      remove(connection, deletion(resource, key, options)),
    raw: async (request) => raw(connection, request),
  };
}

async function ask<T extends KubeObject>(
  connection: KubeConnection,
  request: UnaryRequest,
): Promise<T> {
  const answer = await sendRequest(connection, request);
  return parseObject(answer, `${request.method} ${request.path}`) as T;
}

async function list<T extends KubeObject>(
  connection: KubeConnection,
  resource: Resource<T>,
  options: ListOptions,
): Promise<ObjectList<T>> {
  let items: T[] = [];
  let resourceVersion = '';
  for await (const part of listPages(connection, resource, options)) {
    if (part.kind === 'restart') {
      items = [];
    } else {
      for (const item of part.items) items.push(item);
      ({ resourceVersion } = part);
    }
  }
  return { items, resourceVersion };
}

function replacement<T extends KubeObject>(
  resource: Resource<T>,
  object: T,
  options: WriteOptions & { readonly subresource: string | undefined },
): UnaryRequest {
  const place = { ...keyOf(object), subresource: options.subresource };
  const path = withQuery(objectPath(resource, place), writeQuery(options));
  return { ...options, method: 'PUT', path, body: typed(resource, object) };
}

const PATCH_TYPES: Readonly<Record<PatchOptions['type'], string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

function patching(resource: Resource, key: ObjectKey, options: PatchOptions): UnaryRequest {
  const { subresource, type, body } = options;
  const path = withQuery(objectPath(resource, { ...key, subresource }), writeQuery(options));
  return { ...options, method: 'PATCH', path, body, contentType: PATCH_TYPES[type] };
}

/** The request of an apply. Its body is JSON, which is valid YAML: the content type of an apply is a YAML type. */
function applying(resource: Resource, object: KubeObject, options: ApplyOptions): UnaryRequest {
  const place = { ...keyOf(object), subresource: options.subresource };
  const query = { ...writeQuery(options), force: options.force };
  return {
    ...options,
    method: 'PATCH',
    path: withQuery(objectPath(resource, place), query),
    body: typed(resource, object),
    contentType: 'application/apply-patch+yaml',
  };
}

function deletion(resource: Resource, key: ObjectKey, options: DeleteOptions): UnaryRequest {
  const { gracePeriodSeconds, propagationPolicy, preconditions, dryRun } = options;
  const body = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    gracePeriodSeconds,
    propagationPolicy,
    preconditions,
    ...(dryRun === true ? { dryRun: ['All'] } : {}),
  };
  return { ...options, method: 'DELETE', path: objectPath(resource, key), body };
}

async function remove<T extends KubeObject>(
  connection: KubeConnection,
  request: UnaryRequest,
): Promise<T | null> {
  return remainsOf<T>(await ask(connection, request));
}

/** Sends any other request. An answer that is not JSON, such as "ok" of /readyz, is returned as text. */
async function raw(connection: KubeConnection, request: RawRequest): Promise<Json> {
  const path = withQuery(request.path, request.query ?? {});
  const answer = await sendRequest(connection, { ...request, path });
  if (!(answer.headers['content-type'] ?? '').includes('json')) return answer.text;
  return parseObject(answer, `${request.method} ${path}`) as Json;
}

function writeQuery({ dryRun, fieldManager }: WriteOptions): Query {
  return { fieldManager, dryRun: dryRun === true ? 'All' : undefined };
}

function keyOf({ metadata }: KubeObject): { namespace: string | undefined; name: string } {
  return { namespace: metadata?.namespace, name: metadata?.name ?? '' };
}

/**
 * Adds apiVersion and kind, which servers require. Wrong values in the object are kept, and the server refuses them.
 */
function typed<T extends KubeObject>(resource: Resource, object: T): T {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object };
}

/**
 * The object that remains after a delete request; null: it was deleted. The answer to an immediate deletion is a Status
 * for most kinds, but for some (pods, claims) the last state of the object.
 */
export function remainsOf<T extends KubeObject>(answer: T): T | null {
  if (answer.kind === 'Status') return null;
  const {
    deletionTimestamp,
    deletionGracePeriodSeconds = 0,
    finalizers = [],
  } = answer.metadata ?? {};
  if (deletionTimestamp === undefined) return null;
  return deletionGracePeriodSeconds === 0 && finalizers.length === 0 ? null : answer;
}
