/** Serves a timeline, and opens its page in Chromium. */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

import { nodeHttpServer } from '../../src/platform/node-http-server.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import type { HttpServer } from '../../src/platform/http-server.ts';
import { timelinePageHtml } from '../../scripts/timeline-page.ts';
import { Access, linkPath } from '../../src/timeline/access.ts';
import type { Bar } from '../../src/timeline/bar.ts';
import { BarStore } from '../../src/timeline/bar-store.ts';
import { type TimelinePage, timelinePage } from '../../src/timeline/page.ts';
import { timelineService } from '../../src/timeline/timeline-service.ts';

const { clock, timers } = nodePlatform;
const KEY = 'k'.repeat(64);
const CHROMIUM = '/usr/bin/chromium';

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });

let built: Promise<TimelinePage> | null = null;

/** The page as `npm run build` makes it. It is built only once. */
export function builtPage(): Promise<TimelinePage> {
  built ??= timelinePageHtml().then((html) => timelinePage(html));
  return built;
}

export interface Stand extends AsyncDisposable {
  readonly store: BarStore;
  readonly url: string;
  /** A link that opens the page. Each call makes a new one. */
  link(): string;
  /**
   * Together, `stop` and `start` restart the server at the same address. With other spans, it acts as a new process
   * that has only those.
   */
  stop(): Promise<void>;
  start(bars?: readonly Bar[]): Promise<void>;
}

export async function openStand(bars: readonly Bar[]): Promise<Stand> {
  const page = await builtPage();
  let store = storeOf(bars);
  const serve = (port: number): Promise<HttpServer> => {
    const access = new Access({ key: KEY, clock });
    const linkAdvice = 'run it again';
    const service = timelineService({ store, access, page, clock, timers, linkAdvice });
    return nodeHttpServer({ service, port });
  };
  let server = await serve(0);
  const { url, port } = server;
  let links = 0;
  return {
    get store() {
      return store;
    },
    url,
    link: () => {
      links += 1;
      return `${url}${linkPath(KEY, { nonce: `n${links}`, nowMs: clock.nowMs() })}`;
    },
    stop: () => server.close(),
    start: async (others) => {
      if (others !== undefined) store = storeOf(others);
      server = await serve(port);
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

function storeOf(bars: readonly Bar[]): BarStore {
  const store = new BarStore({ clock });
  for (const bar of bars) store.put(bar);
  store.setSource('project /shop', null);
  return store;
}

export interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Mistakes of the page: errors, content that its policy refused, requests to other hosts. */
  readonly complaints: string[];
}

/** Opens a page, and records as a complaint each request that is not to `origin`. */
export async function watchedPage(
  browser: Browser,
  origin: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Watched> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    const isRefused = /Content Security Policy|Refused to/.test(message.text());
    if (message.type() === 'error' && isRefused) complaints.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith('data:')) complaints.push(`asks ${url}`);
  });
  return { page, context, complaints };
}
