import type { RequestScope } from '../context.ts';
import type { ServerAnswer } from '../http.ts';
import { wholeNumber } from '../options.ts';
import type { LogRequest } from '../pod-streams.ts';
import { isTrue } from '../request-info.ts';
import { badRequest, invalid } from '../status.ts';
import { getObject } from '../verbs/get.ts';
import { containerOf, requireNode } from './pod-container.ts';

/** The log of one container, as it is or followed. */
export async function servePodLog(scope: RequestScope): Promise<ServerAnswer> {
  const { request, definition, info } = scope;
  const asked = logOptions(scope);
  const pod = getObject({ ...scope, request: { ...request, query: new URLSearchParams() } });
  const container = containerOf(pod, request.query.get('container') ?? '');
  const streams = requireNode(scope.api.podStreams, definition, info.name);
  const body = await streams.log({ pod, container, signal: request.signal, ...asked });
  return { status: 200, headers: { 'content-type': 'text/plain' }, body };
}

type LogOptions = Omit<LogRequest, 'pod' | 'container' | 'signal'>;

function logOptions({ request, api }: RequestScope): LogOptions {
  const { query } = request;
  return {
    follow: isTrue(query.get('follow')),
    previous: isTrue(query.get('previous')),
    timestamps: isTrue(query.get('timestamps')),
    sinceMs: sinceOf(query, api.platform.clock.nowMs()),
    tailLines: atLeast(query, 'tailLines', { min: 0, says: 'must be greater than or equal to 0' }),
    limitBytes: atLeast(query, 'limitBytes', { min: 1, says: 'must be greater than 0' }),
  };
}

function sinceOf(query: URLSearchParams, nowMs: number): number | null {
  const seconds = atLeast(query, 'sinceSeconds', { min: 1, says: 'must be greater than 0' });
  const time = query.get('sinceTime') ?? '';
  if (seconds === null) return timeOf(time);
  if (time === '') return nowMs - seconds * 1_000;
  return refuse(
    'sinceSeconds',
    seconds,
    'at most one of `sinceTime` or `sinceSeconds` may be specified',
  );
}

function atLeast(
  query: URLSearchParams,
  name: string,
  { min, says }: { readonly min: number; readonly says: string },
): number | null {
  const value = wholeNumber(query, name) ?? null;
  return value !== null && value < min ? refuse(name, value, says) : value;
}

function refuse(field: string, value: number, detail: string): never {
  throw invalid({ group: '', kind: 'PodLogOptions' }, '', [
    { type: 'Invalid', field, value, detail },
  ]);
}

function timeOf(text: string): number | null {
  if (text === '') return null;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw badRequest(`sinceTime: "${text}" is no time of RFC 3339`);
  return ms;
}
