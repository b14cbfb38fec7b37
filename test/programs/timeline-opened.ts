/** Opens one timeline at a time with its page, for the tests of a file. A test fails if its page reported an error. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

import type { Bar } from '../../src/timeline/bar.ts';
import { eventually } from './timeline-look.ts';
import { openBrowser, openStand, type Stand, type Watched, watchedPage } from './timeline-stand.ts';

export const WIDE = { viewport: { width: 1_280, height: 800 } } as const;

type Opening = Parameters<typeof watchedPage>[2];

export interface OpenedTimeline {
  /** Starts a server with these spans and opens a live page that shows all of them. */
  open(bars: readonly Bar[], options?: Opening): Promise<Page>;
  /**
   * Opens a page. The test fails if the page sends a request to anything but `origin`. The server of `open` keeps
   * running.
   */
  watch(origin: string, options: Opening): Promise<Page>;
  stand(): Stand;
  context(): BrowserContext;
}

/** Registers its hooks with vitest, so call it once in a file, outside of tests. */
export function openedTimeline(): OpenedTimeline {
  let browser: Browser;
  let stand: Stand | null = null;
  let watched: Watched | null = null;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterEach(async () => {
    const complaints = watched?.complaints;
    await watched?.context.close();
    await stand?.[Symbol.asyncDispose]();
    watched = null;
    stand = null;
    // The page reported no error and no violation of the policy, and sent no request to another host.
    expect(complaints ?? []).toEqual([]);
  });
  afterAll(() => browser.close());
  const watch = async (origin: string, options: Opening): Promise<Page> => {
    watched = await watchedPage(browser, origin, options);
    return watched.page;
  };
  return {
    open: async (bars, options = WIDE) => {
      stand = await openStand(bars);
      const page = await watch(stand.url, options);
      await page.goto(stand.link());
      await eventually(page.locator('#connection'), 'Live');
      // A page is live before it has drawn its first spans. Until then, a pointer would find no span.
      if (bars.length > 0) {
        const count = bars.length.toLocaleString('en-US');
        await eventually(page.locator('#summary'), new RegExp(`^${count} spans? on`));
      }
      return page;
    },
    watch,
    stand: () => stand as unknown as Stand,
    context: () => (watched as unknown as Watched).context,
  };
}
