import type { RequestScope } from '../context.ts';
import type { ServerAnswer } from '../http.ts';
import { wholeNumber } from '../options.ts';
import type { LogRequest, PodStreams } from '../pod-streams.ts';
import { isTrue } from '../request-info.ts';
import { badRequest, invalid, type Named, StatusError } from '../status.ts';
import { getObject } from '../read-object.ts';
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { objectsAt, textAt } from '../../../../../src/kube/fields.ts';

/** Serves the log of one container: as it is now, or followed. */
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
  if (Number.isNaN(ms)) throw badRequest(`sinceTime: "${text}" is not an RFC 3339 time`);
  return ms;
}

const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container';

/** The container that the request names. Without a name: the only one, or the one that the annotation names. */
export function containerOf(pod: JsonObject, named: string): string {
  const podName = textAt(pod, 'metadata', 'name');
  const containers = namesAt(pod, 'containers');
  const inits = namesAt(pod, 'initContainers');
  const others = namesAt(pod, 'ephemeralContainers');
  if (named !== '') {
    if ([...containers, ...inits, ...others].includes(named)) return named;
    throw badRequest(`container ${named} is not valid for pod ${podName}`);
  }
  const [only, ...more] = containers;
  if (only !== undefined && more.length === 0) return only;
  const preferred = textAt(pod, 'metadata', 'annotations', DEFAULT_CONTAINER);
  if (containers.includes(preferred)) return preferred;
  const init = inits.length === 0 ? '' : ` or one of the init containers: [${inits.join(' ')}]`;
  throw badRequest(
    `a container name must be specified for pod ${podName}, choose one of: [${containers.join(' ')}]${init}`,
  );
}

function namesAt(pod: JsonObject, list: string): string[] {
  return objectsAt(pod, 'spec', list).map((container) => textAt(container, 'name'));
}

export function requireNode(streams: PodStreams | null, what: Named, name: string): PodStreams {
  if (streams !== null) return streams;
  const message = `${what.plural} "${name}" cannot be reached: this cluster was started without a node`;
  throw new StatusError({ code: 503, reason: 'ServiceUnavailable', message });
}
