/** Tests the documentation as a site of files in Chromium: not even its search needs a server. */
import axe from 'axe-core';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { buildSite } from '../../scripts/site/build.ts';
import { evaluate } from './timeline-look.ts';
import { openBrowser, watchedPage } from './timeline-stand.ts';

let browser: Browser;
let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lifehook-site-'));
  await buildSite('.', folder);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

const urlOf = (page: string): string => pathToFileURL(join(folder, page)).href;

it('finds a section, leads to it from a page of another directory, and closes the list', async () => {
  const { page, context, complaints } = await watchedPage(browser, urlOf(''));
  await page.goto(urlOf('docs/reference/cli.html'));
  await page.keyboard.press('/');
  await page.keyboard.type('rescue thaw');
  await page.locator('#results a').first().click();
  await page.waitForURL(`${urlOf('docs/snapshots.html')}#thaw-by-a-rescue-pod`);
  await page.locator('#search').fill('migration rollout');
  await page.getByRole('link', { name: 'Run a migration before a rollout' }).waitFor();
  await page.keyboard.press('Escape');
  expect(await page.locator('#results').isVisible()).toBe(false);
  await page.locator('#search').fill('qqqqzzzz');
  await page.getByText('Nothing found for "qqqqzzzz".').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

const SCREENS = [
  ['light', 1_280],
  ['dark', 1_280],
  ['light', 390],
  ['dark', 390],
] as const;

describe.each(SCREENS)('in %s at %i pixels', (colorScheme, width) => {
  it.each(['index.html', 'docs/snapshots.html'])(
    '%s fits the width, has its pictures, and is accessible',
    async (path) => {
      const viewport = { width, height: 844 };
      const { page, context } = await watchedPage(browser, urlOf(''), { viewport, colorScheme });
      await page.goto(urlOf(path));
      const broken = '[...document.images].filter((one) => one.naturalWidth === 0).length';
      const wide = 'document.documentElement.scrollWidth - innerWidth';
      expect(await evaluate<number[]>(page, `[${broken}, ${wide}]`)).toEqual([0, 0]);
      await page.evaluate(axe.source);
      const { violations } = await evaluate<{ violations: { id: string }[] }>(
        page,
        'axe.run(document)',
      );
      expect(violations.map(({ id }) => id)).toEqual([]);
      await context.close();
    },
  );
});
