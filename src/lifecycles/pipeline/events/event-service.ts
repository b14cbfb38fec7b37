/**
 * Serves the stream over HTTP, for $SKAFFOLD_HTTP_PORT:
 *   GET /events                   NDJSON, one event per line, from the oldest kept one; with `?follow=false`
 *                                 only the kept ones;
 *                                 with Accept: text/event-stream server-sent events, after Last-Event-ID
 *   GET /v1/…, /v2/…              the API of api/api-service.ts
 *   GET /healthz                  ok
 * For a late reader, an event of type "Missed" has the number of events that it missed.
 */
import {
  type HttpService,
  type HttpServiceAnswer,
  plainAnswer,
  type RequestHead,
} from '../../../platform/http-server.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import { API_PATHS, type EventApi } from './api/api-service.ts';
import type { EventStream, StreamItem } from './event-stream.ts';

export function eventService(
  stream: Pick<EventStream, 'subscribe' | 'history'>,
  api: Pick<EventApi, 'answer'>,
): HttpService {
  return {
    refuse: refusal,
    isBinary: () => false,
    handle: async ({ path, query, headers, signal }) => {
      if (path === '/healthz') return plainAnswer(200, 'ok');
      const ofApi = api.answer({ path, signal });
      if (ofApi !== null) return ofApi;
      if (headers['accept']?.includes('text/event-stream') === true) {
        return serverSent(stream, lastEventId(headers), signal);
      }
      if (query.get('follow') === 'false') {
        const lines = stream.history().map((event) => `${JSON.stringify(event)}\n`);
        return { status: 200, headers: NDJSON, body: lines.join('') };
      }
      return { status: 200, headers: NDJSON, body: ndjson(stream.subscribe(0, signal)) };
    },
    upgrade: async () => ({
      kind: 'refused',
      answer: plainAnswer(400, 'use GET without an upgrade'),
    }),
    tooLarge: (limitBytes) => plainAnswer(413, `at most ${limitBytes} bytes`),
  };
}

const PATHS = ['/events', ...API_PATHS, '/healthz'];

/**
 * Refuses pages of other sites, which must not read the output of hooks. A browser sends the origin of the page, or the
 * host name that the page resolved to this machine. Other clients send no origin, and a local name as host.
 */
function refusal({ method, path, headers }: RequestHead): HttpServiceAnswer | null {
  if (method !== 'GET' && method !== 'HEAD') return plainAnswer(405, 'use GET');
  const host = (headers['host'] ?? 'localhost').replace(/:\d+$/, '');
  if (!LOCAL_HOSTS.includes(host)) return plainAnswer(403, 'use the host localhost or 127.0.0.1');
  if (headers['origin'] !== undefined)
    return plainAnswer(403, 'pages of other sites may not read it');
  return PATHS.includes(path) ? null : plainAnswer(404, `this server has only ${PATHS.join(', ')}`);
}

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

const NDJSON = { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' };

const SERVER_SENT = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };

/** Milliseconds until a browser reconnects. */
const RETRY_MS = 1_000;

function serverSent(
  stream: Pick<EventStream, 'subscribe'>,
  after: number,
  signal: CancelSignal,
): HttpServiceAnswer {
  return { status: 200, headers: SERVER_SENT, body: sseText(stream.subscribe(after, signal)) };
}

async function* ndjson(items: AsyncIterable<StreamItem>): AsyncGenerator<string, void> {
  for await (const item of items) yield `${JSON.stringify(asJson(item))}\n`;
}

/** JSON contains no line feed, so that one "data:" line is enough. */
async function* sseText(items: AsyncIterable<StreamItem>): AsyncGenerator<string, void> {
  yield `retry: ${RETRY_MS}\n\n`;
  for await (const item of items) {
    const id = item.kind === 'event' ? `id: ${item.id}\n` : '';
    const type = item.kind === 'event' ? item.event.type : 'Missed';
    yield `${id}event: ${type}\ndata: ${JSON.stringify(asJson(item))}\n\n`;
  }
}

function asJson(item: StreamItem): unknown {
  return item.kind === 'event' ? item.event : { type: 'Missed', count: item.count };
}

function lastEventId(headers: RequestHead['headers']): number {
  const id = Number(headers['last-event-id'] ?? '0');
  return Number.isSafeInteger(id) && id >= 0 ? id : 0;
}
