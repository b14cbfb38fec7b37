/**
 * Lists all pages at one revision. If the server drops that revision in between (410), the pages so far are void and
 * the list starts again. The last try requests a single page, which no compaction can interrupt.
 */
import { ApiError, UnreachableError } from './api-error.ts';
import type { KubeConnection, ListOptions } from './client.ts';
import { apiVersionOf, type KubeObject, type Resource } from './object.ts';
import { pathOf, withQuery } from './paths.ts';
import { parseObject } from './answer-error.ts';
import { sendRequest } from './unary-request.ts';

export type ListPart<T extends KubeObject> =
  | { readonly kind: 'page'; readonly items: readonly T[]; readonly resourceVersion: string }
  /** The pages so far are void: discard them. */
  | { readonly kind: 'restart' };

const DEFAULT_PAGE_SIZE = 500;

/** Maximum number of paged lists that may expire; the next list is not paged. */
const MAX_PAGED_TRIES = 2;

/** Maximum number of pages that are requested, those of expired lists included; a server with more is broken. */
const MAX_PAGES = 100_000;

export async function* listPages<T extends KubeObject>(
  connection: KubeConnection,
  resource: Resource<T>,
  options: ListOptions,
): AsyncGenerator<ListPart<T>> {
  let tries = 1;
  let next = '';
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const mayExpire = tries <= MAX_PAGED_TRIES;
    const limit = mayExpire ? (options.pageSize ?? DEFAULT_PAGE_SIZE) : undefined;
    const list = await readPage(connection, resource, { ...options, limit, next, mayExpire });
    if (list === null) {
      tries += 1;
      next = '';
      yield { kind: 'restart' };
      continue;
    }
    yield { kind: 'page', items: list.items, resourceVersion: list.resourceVersion };
    if (list.next === '') return;
    next = list.next;
  }
  throw new UnreachableError(`the list of ${resource.plural} has more than ${MAX_PAGES} pages`, {
    sent: true,
  });
}

interface PageRequest extends ListOptions {
  readonly limit: number | undefined;
  /** The token that the previous page returned; '' for the first page. */
  readonly next: string;
  /** Whether the caller lists again if the revision has expired. */
  readonly mayExpire: boolean;
}

interface Page<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  readonly next: string;
}

interface WireList<T> {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly T[] | null;
}

/** null: the revision of the earlier pages has expired, which the request allows. */
async function readPage<T extends KubeObject>(
  connection: KubeConnection,
  resource: Resource<T>,
  request: PageRequest,
): Promise<Page<T> | null> {
  const path = pagePath(resource, request);
  try {
    const answer = await sendRequest(connection, { ...request, method: 'GET', path });
    return pageOf(resource, parseObject(answer, `GET ${path}`), path);
  } catch (error) {
    const isExpired = request.next !== '' && error instanceof ApiError && error.code === 410;
    if (isExpired && request.mayExpire) return null;
    throw error;
  }
}

function pagePath(resource: Resource, request: PageRequest): string {
  const { namespace, labelSelector, fieldSelector, limit, next, resourceVersion } = request;
  const collection = pathOf(resource, { namespace });
  // The token contains the revision of the list, and the server refuses a resourceVersion together with it.
  const from = next === '' ? { resourceVersion } : { continue: next };
  return withQuery(collection, { labelSelector, fieldSelector, limit, ...from });
}

function pageOf<T extends KubeObject>(
  resource: Resource<T>,
  list: WireList<T>,
  path: string,
): Page<T> {
  const { metadata } = list;
  if (!isArrayOrNull(list.items)) {
    throw new UnreachableError(`GET ${path}: the answer is not a list`, { sent: true });
  }
  const kind = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  return {
    // Servers omit apiVersion and kind from the items of a list.
    items: (list.items ?? []).map((item) => ({ ...kind, ...item })),
    resourceVersion: metadata?.resourceVersion ?? '',
    next: metadata?.continue ?? '',
  };
}

/** A server with no objects of the kind may send null. */
function isArrayOrNull(items: unknown): boolean {
  return Array.isArray(items) || items === null || items === undefined;
}
