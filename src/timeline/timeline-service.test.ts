import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { HttpServer } from '../platform/http-server.ts';
import { nodeHttpServer } from '../platform/node-http-server.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { Access, linkPath } from './access.ts';
import type { Bar, BarPage } from './bar.ts';
import { BarStore } from './bar-store.ts';
import { NO_BARS } from './page.ts';
import { timelineService } from './timeline-service.ts';

const { clock, timers } = nodePlatform;
const key = 'k'.repeat(64);
const page = { html: `<title>page</title>${NO_BARS}`, csp: "default-src 'none'" };

const bar = (id: string, more: Partial<Bar> = {}): Bar => ({
  id,
  lifecycle: 'pod',
  lane: 'shop/web',
  kind: 'hook',
  run: 'web',
  point: 'preStop',
  name: 'drain',
  attempt: 1,
  startMs: 100,
  endMs: 200,
  outcome: 'Succeeded',
  ...more,
});

let store: BarStore;
let server: HttpServer;
let cookie: string;
let strangers: string[];

beforeEach(async () => {
  strangers = [];
  store = new BarStore({ clock });
  const access = new Access({ key, clock });
  const linkAdvice = 'run it again';
  const onStranger = (host: string): void => {
    strangers.push(host);
  };
  const about = { store, access, page, clock, timers };
  const service = timelineService({ ...about, linkAdvice, onStranger });
  server = await nodeHttpServer({ service, port: 0 });
  const path = linkPath(key, { nonce: 'one', nowMs: clock.nowMs() });
  const answer = await fetch(`${server.url}${path}`);
  cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
});

afterEach(() => server.close());

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}${path}`, { headers: { cookie, ...headers } });

const barsOf = async (path: string): Promise<string[]> => {
  const { bars } = (await (await get(path)).json()) as BarPage;
  return bars.map(({ id }) => id);
};

/** Opens a stream on its own connection, which is closed together with the stream. */
async function open(headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const own = { cookie, ...headers };
  const request = httpGet(`${server.url}/api/events`, { agent: false, headers: own });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return answer;
}

/** Reads the stream until its text contains an event. */
async function readEvent(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of answer.setEncoding('utf8')) {
    text += String(piece);
    if (text.includes('\nevent: ')) break;
  }
  return text;
}

describe('the timeline over HTTP', () => {
  it('answers 401 with advice without the cookie, and 403 to another origin', async () => {
    for (const path of [
      '/',
      '/api/bars',
      '/api/events',
      '/api/export.json',
      '/export.html',
      '/x',
    ]) {
      const answer = await fetch(`${server.url}${path}`);
      expect([path, answer.status]).toEqual([path, 401]);
      expect(await answer.text()).toContain('run it again');
    }
    const login = await fetch(`${server.url}/login?token=a.b.c`);
    expect([login.status, await login.text()]).toEqual([
      401,
      expect.stringContaining('run it again'),
    ]);
    const { host } = new URL(server.url);
    expect(new Set(strangers)).toEqual(new Set([host]));
    const asked = strangers.length;
    expect((await get('/', { origin: 'http://evil.example' })).status).toBe(403);
    expect((await fetch(server.url, { method: 'POST', headers: { cookie } })).status).toBe(405);
    expect((await get('/')).status).toBe(200);
    expect(strangers).toHaveLength(asked);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'refuses %s on every path, and changes no span (TIME-A3)',
    async (method) => {
      store.put(bar('a'));
      const { seq } = store;
      for (const path of ['/', '/login', '/api/bars', '/api/events', '/export.html', '/x']) {
        const answer = await fetch(`${server.url}${path}`, { method, headers: { cookie } });
        expect([path, answer.status]).toEqual([path, 405]);
      }
      expect([await barsOf('/api/bars'), store.seq]).toEqual([['a'], seq]);
    },
  );

  it('does not use up the link on a HEAD request', async () => {
    const path = linkPath(key, { nonce: 'two', nowMs: clock.nowMs() });
    expect((await fetch(`${server.url}${path}`, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(`${server.url}${path}`)).headers.get('set-cookie')).toContain('Strict');
    expect((await fetch(`${server.url}${path}`)).status).toBe(401);
  });

  it('serves the page with its policy and without caching', async () => {
    const answer = await get('/');
    expect(await answer.text()).toBe(page.html);
    expect(answer.headers.get('content-security-policy')).toBe(page.csp);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('returns the matching spans, page by page', async () => {
    store.setSource('cluster', 'it is away');
    store.put(bar('a'));
    store.put(bar('b', { lifecycle: 'rollout', startMs: 300, endMs: null }));
    store.put(bar('c', { lane: 'shop/db', startMs: 300, endMs: 400 }));
    expect(await barsOf('/api/bars')).toEqual(['a', 'b', 'c']);
    expect(await barsOf('/api/bars?lifecycle=pod')).toEqual(['a', 'c']);
    expect(await barsOf('/api/bars?lane=shop/db')).toEqual(['c']);
    expect(await barsOf('/api/bars?from=250&to=350')).toEqual(['b', 'c']);
    expect(await barsOf('/api/bars?from=500')).toEqual(['b']);
    const first = (await (await get('/api/bars?limit=2')).json()) as BarPage;
    expect(first).toMatchObject({ truncated: true, sources: [{ problem: 'it is away' }] });
    expect(await barsOf(`/api/bars?limit=2&after=${first.seq}`)).toEqual(['c']);
    const wrong = await get('/api/bars?lifecycle=pods');
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('pipeline')]);
  });

  it('resumes after the Last-Event-ID of a browser, and resets on an unknown one', async () => {
    store.put(bar('a'));
    const { seq } = store;
    store.put(bar('b'));
    const resumed = await readEvent(await open({ 'last-event-id': `${seq}` }));
    expect(resumed).toContain(`id: ${seq + 1}\nevent: bar\ndata: {"id":"b"`);
    expect(resumed).not.toContain('"id":"a"');
    expect(await readEvent(await open({ 'last-event-id': '12' }))).toContain('event: reset');
    expect(await readEvent(await open({ 'last-event-id': 'x' }))).toContain('event: reset');
    const live = await open();
    store.put(bar('c'));
    expect(await readEvent(live)).toContain('"id":"c"');
  });

  it('refuses more than 32 followers, and frees the place of a closed connection', async () => {
    const following = await Promise.all(Array.from({ length: 32 }, () => open()));
    const refused = await open();
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5']);
    for (const one of [...following, refused]) one.destroy();
    await expect
      .poll(
        async () => {
          const answer = await open();
          answer.destroy();
          return answer.statusCode;
        },
        { timeout: 20_000 },
      )
      .toBe(200);
  });

  it('exports all spans, oldest first, as JSON and as a self-contained page', async () => {
    store.put(bar('later', { startMs: 300, stdout: '</script><b>' }));
    store.put(bar('first'));
    const json = (await (await get('/api/export.json')).json()) as BarPage;
    expect(json.bars.map(({ id }) => id)).toEqual(['first', 'later']);
    expect(json.exportedAt).toMatch(/^\d{4}-/);
    const answer = await get('/export.html');
    expect(answer.headers.get('content-disposition')).toMatch(
      /attachment; filename="timeline-.+html"/,
    );
    const text = await answer.text();
    expect(text.match(/<\/script>/g)).toHaveLength(1);
  });
});
