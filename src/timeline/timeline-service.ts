/**
 * The timeline over HTTP, for the loopback address:
 *   GET /login?token=…       once: sets the cookie that all other requests need
 *   GET /                    the page
 *   GET /api/bars            spans as JSON: ?after=&limit=&lifecycle=&lane=&from=&to=
 *   GET /api/events          server-sent events; Last-Event-ID (or ?after=) continues after that change
 *   GET /api/export.json     everything, as a file
 *   GET /export.html         the same as a page that needs no server
 */
import type {
  HttpService,
  HttpServiceAnswer,
  HttpServiceRequest,
  RequestHead,
} from '../platform/http-server.ts';
import type { CancelSignal, Clock, Timers } from '../platform/platform.ts';
import { type Access, refusedOrigin } from './access.ts';
import type { BarPage } from './bar.ts';
import { type BarQuery, readBarQuery, selectBars } from './bar-query.ts';
import { type BarStore, MAX_BARS } from './bar-store.ts';
import { exportedPage, type TimelinePage } from './page.ts';
import { sseText } from './sse-text.ts';

/** Maximum number of concurrent readers of /api/events, such as tabs of a browser. */
const MAX_SUBSCRIBERS = 32;
const EVERYTHING: BarQuery = {
  after: 0,
  limit: MAX_BARS,
  lifecycles: [],
  lanes: [],
  fromMs: 0,
  toMs: Number.MAX_SAFE_INTEGER,
};

export interface TimelineOptions {
  readonly store: BarStore;
  readonly access: Access;
  readonly page: TimelinePage;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly timers: Timers;
  /** Advice on how to get a link: "run `lifehook status` for a new link". */
  readonly linkAdvice: string;
  /**
   * Called for a request without a valid cookie, with the requested host and port. The request is answered with the
   * advice.
   */
  readonly onStranger?: ((host: string) => void) | undefined;
}

export function timelineService(options: TimelineOptions): HttpService {
  const state = { subscribers: 0 };
  return {
    refuse: (head) => refusal(head, options),
    isBinary: () => false,
    handle: async (request) => {
      if (request.path === '/login') return login(request, options);
      if (request.path === '/api/events') return follow(request, options, state);
      return answer(request, options);
    },
    upgrade: async () => ({ kind: 'refused', answer: plain(400, 'use GET without an upgrade') }),
    tooLarge: (limitBytes) => plain(413, `at most ${limitBytes} bytes`),
  };
}

const PATHS = ['/', '/login', '/api/bars', '/api/events', '/api/export.json', '/export.html'];

function refusal(head: RequestHead, options: TimelineOptions): HttpServiceAnswer | null {
  const { method, path, headers } = head;
  if (method !== 'GET' && method !== 'HEAD') return plain(405, 'use GET');
  const refused = refusedOrigin(head);
  if (refused !== null) return plain(403, refused);
  if (path === '/login') {
    // A link scanner, which sends HEAD, must not use up the link before the user opens it.
    return method === 'HEAD' ? plain(200, 'open it') : null;
  }
  if (!options.access.isKnown(headers)) return stranger(headers, options);
  return PATHS.includes(path) ? null : plain(404, `this server has only ${PATHS.join(', ')}`);
}

function stranger(
  { host = '' }: RequestHead['headers'],
  { linkAdvice, onStranger }: TimelineOptions,
  why = '',
): HttpServiceAnswer {
  onStranger?.(host);
  const what = `This timeline opens with a link that works once: ${linkAdvice}.`;
  return plain(401, why === '' ? what : `${why}\n${what}`);
}

/**
 * Continues by a refresh of the page and not by a redirect. After a redirect from a link in webmail, the browser would
 * not send the cookie, which is SameSite=Strict.
 */
function login(
  { query, headers }: HttpServiceRequest,
  options: TimelineOptions,
): HttpServiceAnswer {
  const cookie = options.access.open(query.get('token') ?? '', headers);
  if (cookie === null) {
    const why = 'This link was used already, has expired, or belongs to another timeline.';
    return stranger(headers, options, why);
  }
  const body =
    '<!doctype html><meta http-equiv="refresh" content="0;url=/"><title>Timeline</title>';
  const csp = "default-src 'none'; frame-ancestors 'none'";
  const own = { 'set-cookie': cookie, 'content-security-policy': csp };
  return { status: 200, headers: { ...HEADERS, ...HTML, ...own }, body };
}

function answer(request: HttpServiceRequest, options: TimelineOptions): HttpServiceAnswer {
  const { page, clock } = options;
  switch (request.path) {
    case '/':
      return { status: 200, headers: pageHeaders(page), body: page.html };
    case '/api/bars': {
      const query = readBarQuery(request.query);
      if (typeof query === 'string') return plain(400, query);
      return { status: 200, headers: { ...HEADERS, ...JSON_TYPE }, body: pageText(query, options) };
    }
    case '/api/export.json': {
      const body = `${JSON.stringify(exportOf(options), null, 2)}\n`;
      return { status: 200, headers: { ...HEADERS, ...JSON_TYPE, ...saved(clock, 'json') }, body };
    }
    default: {
      const body = exportedPage(page, exportOf(options));
      return { status: 200, headers: { ...pageHeaders(page), ...saved(clock, 'html') }, body };
    }
  }
}

/** Sends the spans in pieces: as a single text they would be in memory twice. */
async function* pageText(query: BarQuery, options: TimelineOptions): AsyncGenerator<string> {
  const { store, clock } = options;
  const { kept, seq, truncated } = selectBars(store, query);
  yield '{"bars":[';
  for (const [index, { text }] of kept.entries()) yield index === 0 ? text : `,${text}`;
  const rest: Omit<BarPage, 'bars'> = {
    seq,
    truncated,
    ...forgottenOf(store),
    now: clock.nowMs(),
    sources: store.sources(),
  };
  yield `],${JSON.stringify(rest).slice(1)}`;
}

/** All spans that are known now. */
export function exportOf({ store, clock }: Pick<TimelineOptions, 'store' | 'clock'>): BarPage {
  const { kept, seq, truncated } = selectBars(store, EVERYTHING);
  const now = clock.nowMs();
  const bars = kept.map(({ bar }) => bar).toSorted((a, b) => a.startMs - b.startMs);
  const exportedAt = new Date(now).toISOString();
  return {
    bars,
    seq,
    truncated,
    ...forgottenOf(store),
    now,
    sources: store.sources(),
    exportedAt,
  };
}

function forgottenOf({ forgotten }: BarStore): Pick<BarPage, 'forgotten'> {
  return forgotten === 0 ? {} : { forgotten };
}

function follow(
  { headers, query, signal }: HttpServiceRequest,
  { store, clock, timers }: TimelineOptions,
  state: { subscribers: number },
): HttpServiceAnswer {
  if (state.subscribers >= MAX_SUBSCRIBERS) {
    const busy = plain(503, `at most ${MAX_SUBSCRIBERS} may follow at a time: close some pages`);
    return { ...busy, headers: { ...busy.headers, 'retry-after': '5' } };
  }
  const asked = headers['last-event-id'] ?? query.get('after');
  const after = asked === null || asked === '' ? store.seq : Number(asked);
  const body = counted(state, signal, () =>
    sseText(store.subscribe(Number.isSafeInteger(after) ? after : -1, signal), {
      clock,
      timers,
      signal,
    }),
  );
  return { status: 200, headers: { ...HEADERS, ...EVENTS }, body };
}

async function* counted(
  state: { subscribers: number },
  { aborted }: CancelSignal,
  open: () => AsyncIterable<string>,
): AsyncGenerator<string> {
  if (aborted) return;
  state.subscribers += 1;
  try {
    yield* open();
  } finally {
    state.subscribers -= 1;
  }
}

/** No caching: the content is only for this browser, and only for this moment. */
const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
};
const HTML = { 'content-type': 'text/html; charset=utf-8' };
/** Closes the connection at the end, since a shutdown of the server must not wait for a browser that would reuse it. */
const EVENTS = { 'content-type': 'text/event-stream', connection: 'close' };
const JSON_TYPE = { 'content-type': 'application/json' };

function pageHeaders({ csp }: TimelinePage): Record<string, string> {
  return { ...HEADERS, ...HTML, 'content-security-policy': csp };
}

function saved({ nowMs }: Pick<Clock, 'nowMs'>, ending: string): Record<string, string> {
  const time = new Date(nowMs()).toISOString().replaceAll(/[-:]/g, '').slice(0, 15);
  return { 'content-disposition': `attachment; filename="timeline-${time}.${ending}"` };
}

function plain(status: number, text: string): HttpServiceAnswer {
  const headers = { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' };
  return { status, headers, body: `${text}\n` };
}
