/** The page of the timeline on screens that are narrow, and dark. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { badMorning } from './timeline-bars.ts';
import { evaluate, eventually, frames, pixels } from './timeline-look.ts';
import { openBrowser, openStand, type Stand, type Watched, watchedPage } from './timeline-stand.ts';

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
  expect(complaints).toEqual([]);
});

afterAll(() => browser.close());

async function open(options: Parameters<typeof watchedPage>[2]): Promise<Page> {
  stand = await openStand(badMorning(Date.now()));
  watched = await watchedPage(browser, stand.url, options);
  await watched.page.goto(stand.link());
  await eventually(watched.page.locator('#connection'), 'Live');
  return watched.page;
}

test('a narrow screen has all of it, without scrolling sideways', async () => {
  const page = await open({ viewport: { width: 390, height: 844 } });
  const overhang = 'document.documentElement.scrollWidth - innerWidth';
  expect(await evaluate(page, overhang)).toBe(0);
  await page.keyboard.press('n');
  await page.keyboard.press('Enter');
  await eventually(page.locator('#detail h2'), 'migrate');
  const box = await page.locator('#detail').boundingBox();
  expect(box).toMatchObject({ x: 0, width: 390 });
  expect(await evaluate(page, overhang)).toBe(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('t');
  await eventually(page.locator('#table'), 'register');
  expect(await evaluate(page, overhang)).toBe(0);
  // Name and outcome of each bar are in sight, without scrolling the table sideways either.
  const inSight = `[...document.querySelectorAll('#table tbody td:is(:nth-child(5), :nth-child(6))')]
    .every((cell) => cell.getBoundingClientRect().width > 0 && cell.getBoundingClientRect().right <= innerWidth)`;
  expect(await evaluate(page, inSight)).toBe(true);
});

test('light and dark are as the system says, until one is chosen', async () => {
  const page = await open({ viewport: { width: 1_280, height: 800 }, colorScheme: 'dark' });
  const theme = (): Promise<string> => evaluate(page, 'document.documentElement.dataset.theme');
  expect(await theme()).toBe('dark');
  await frames(page);
  expect(await pixels(page, 'succeeded')).toBeGreaterThan(100);
  await page.locator('#theme').click();
  expect(await theme()).toBe('light');
  await page.reload();
  expect(await theme()).toBe('light');
});
