/** Reads from a request which revision, page and objects of a collection it asks for. */
import { type FieldError, forbidden, notSupported } from '../objects/field-error.ts';
import { refuse, wholeNumber } from './options.ts';
import { isTrue } from './request-info.ts';
import { badRequest, StatusError } from './status.ts';
import type { JsonObject } from '../../../../src/kube/object.ts';
import { textMapAt } from '../../../../src/kube/fields.ts';
import { matchesFields, parseFieldSelector } from '../objects/selector-field.ts';
import { matchesRequirements, parseLabelSelector } from '../objects/selector.ts';
import { asServed, type RequestScope } from './context.ts';

export interface ListOptions {
  /** Undefined if the request has no resourceVersion; 0 accepts any revision. */
  readonly revision: number | undefined;
  readonly match: '' | 'Exact' | 'NotOlderThan';
  readonly limit: number | undefined;
  readonly continueToken: string;
}

export function listOptions(query: URLSearchParams): ListOptions {
  const match = query.get('resourceVersionMatch') ?? '';
  const continueToken = query.get('continue') ?? '';
  const resourceVersion = query.get('resourceVersion') ?? '';
  refuse('ListOptions', [
    ...(match === '' ? [] : matchFaults(match, resourceVersion, continueToken)),
    ...(query.has('sendInitialEvents')
      ? [forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list')]
      : []),
  ]);
  const limit = wholeNumber(query, 'limit');
  return {
    revision: readRevision(resourceVersion),
    match: match === 'Exact' || match === 'NotOlderThan' ? match : '',
    limit: limit === undefined || limit <= 0 ? undefined : limit,
    continueToken,
  };
}

function matchFaults(match: string, resourceVersion: string, continueToken: string): FieldError[] {
  const field = 'resourceVersionMatch';
  const only = (when: string): FieldError => forbidden(field, `${field} is forbidden ${when}`);
  return [
    ...(resourceVersion === '' ? [only('unless resourceVersion is provided')] : []),
    ...(continueToken === '' ? [] : [only('when continue is provided')]),
    ...(['Exact', 'NotOlderThan'].includes(match)
      ? []
      : [notSupported(field, match, ['Exact', 'NotOlderThan', ''])]),
    ...(match === 'Exact' && resourceVersion === '0'
      ? [forbidden(field, `${field} "exact" is forbidden for resourceVersion "0"`)]
      : []),
  ];
}

export interface WatchRequestOptions {
  readonly revision: number | undefined;
  /** Undefined if the request does not set it; then the resourceVersion decides, as on old servers. */
  readonly sendInitialEvents: boolean | undefined;
  readonly bookmarks: boolean;
  readonly timeoutSeconds: number | undefined;
}

export function watchOptions(query: URLSearchParams): WatchRequestOptions {
  const match = query.get('resourceVersionMatch') ?? '';
  const initial = query.get('sendInitialEvents');
  refuse('ListOptions', watchFaults(match, initial));
  const timeoutSeconds = wholeNumber(query, 'timeoutSeconds');
  return {
    revision: readRevision(query.get('resourceVersion') ?? '', true),
    sendInitialEvents: initial === null ? undefined : isTrue(initial),
    bookmarks: isTrue(query.get('allowWatchBookmarks')),
    timeoutSeconds:
      timeoutSeconds === undefined || timeoutSeconds <= 0 ? undefined : timeoutSeconds,
  };
}

function watchFaults(match: string, initial: string | null): FieldError[] {
  const field = 'resourceVersionMatch';
  if (initial !== null) {
    const needs = `sendInitialEvents requires setting ${field} to NotOlderThan`;
    return match === 'NotOlderThan' ? [] : [forbidden(field, needs)];
  }
  if (match === '') return [];
  const only = `${field} is forbidden for watch unless sendInitialEvents is provided`;
  return [
    forbidden(field, only),
    ...(match === 'NotOlderThan' ? [] : [notSupported(field, match, ['NotOlderThan'])]),
  ];
}

/** Returns undefined for an empty text. */
export function readRevision(text: string, watch: boolean = false): number | undefined {
  if (text === '') return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const message = `resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`;
  // As on a real server, this error of a watch has the code 500.
  if (watch) throw new StatusError({ code: 500, reason: '', message });
  throw badRequest(`invalid resource version: ${message}`);
}

/** Seconds after which a client that is ahead of this server should retry. */
const RETRY_AFTER_SECONDS = 1;

/** Refuses a revision that this server has not reached: the client has read it from a server with another history. */
export function refuseFuture(asked: number, current: number): void {
  if (asked <= current) return;
  throw new StatusError({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  });
}

export interface Selection {
  /** Undefined for all namespaces, and for a cluster-scoped kind. */
  readonly namespace: string | undefined;
  /** True if there is no label or field selector. */
  readonly everything: boolean;
  readonly matches: (object: JsonObject) => boolean;
}

/** Reads the namespace, the labelSelector and the fieldSelector of a request. */
export function readSelection({ definition, info, request }: RequestScope): Selection {
  const labels = parseLabelSelector(request.query.get('labelSelector') ?? '');
  if (!labels.ok) throw badRequest(labels.message);
  const fields = parseFieldSelector(request.query.get('fieldSelector') ?? '', definition);
  if (!fields.ok) throw badRequest(fields.message);
  return {
    namespace: definition.namespaced && info.namespace !== '' ? info.namespace : undefined,
    everything: labels.requirements.length === 0 && fields.terms.length === 0,
    matches: (object) =>
      matchesRequirements(labels.requirements, textMapAt(object, 'metadata', 'labels')) &&
      matchesFields(fields.terms, asServed(definition, object), definition),
  };
}
