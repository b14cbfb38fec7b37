/** Tests the order of tracks, the groups, and the ways to find one span among thousands, in Chromium. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { badMorning, manyRuns, troubled } from './timeline-bars.ts';
import { evaluate, eventually, frames, inTheEnd } from './timeline-look.ts';
import { openedTimeline } from './timeline-opened.ts';

const timeline = openedTimeline();

const openMany = (): Promise<Page> => {
  const nowMs = Date.now();
  return timeline.open([...badMorning(nowMs), ...troubled(nowMs), ...manyRuns(nowMs, 2_000)]);
};

const NAMES = '#names .name, #names .group';
const bottomOf = (title: string): string =>
  `document.querySelector('#names .name[title="${title}"]')?.getBoundingClientRect().bottom ?? Infinity`;
const elements = 'document.querySelectorAll("*").length';

test('with 2 000 runs the frozen tracks are the first, above the fold, and idle ones are folded', async () => {
  const page = await openMany();
  await eventually(page.locator('#summary'), '2,029 spans on 212 tracks');
  await frames(page);
  const names = await page
    .locator(NAMES)
    .evaluateAll((found) =>
      (found as { textContent: string }[]).map(({ textContent }) => textContent),
    );
  expect(names.slice(0, 3)).toEqual([
    expect.stringMatching(/^Snapshot43 tracks2 frozen/),
    'shop/billing-0/mysql',
    'shop/cache-0/redis',
  ]);
  const height = await evaluate<number>(page, 'innerHeight');
  expect(await evaluate<number>(page, bottomOf('shop/cache-0/redis'))).toBeLessThan(height);
  expect(await evaluate<number>(page, elements)).toBeLessThan(400);
  // A collapsed group still shows its frozen tracks.
  await page.getByRole('button', { name: /^Snapshot 43 tracks/ }).click();
  await inTheEnd(() => page.locator(NAMES).allTextContents()).toEqual(
    expect.arrayContaining([expect.stringMatching(/^Rollout/)]),
  );
  expect((await page.locator('#names .name.is-frozen').allTextContents()).toSorted()).toEqual([
    'shop/billing-0/mysql',
    'shop/cache-0/redis',
  ]);
  expect(await page.locator('#names .name[title="shop-3/service-7"]').count()).toBe(0);
});

test('a row unfolds the idle tracks of its group', async () => {
  const page = await openMany();
  await page.evaluate('document.getElementById("scroller").scrollTop = 400');
  const fold = page.locator('#names .fold button').first();
  await eventually(fold, /^\d+ idle tracks$/);
  const height = 'document.getElementById("content").offsetHeight';
  const before = await evaluate<number>(page, height);
  await fold.focus();
  await page.keyboard.press('Enter');
  await inTheEnd(() => evaluate<number>(page, height)).toBeGreaterThan(before + 500);
});

test('a search finds a span by its output, and a namespace and a time narrow the result', async () => {
  const page = await openMany();
  await page.locator('#search').fill('migrate.sql:41');
  await eventually(page.locator('#summary'), '1 span on 1 track');
  await page.locator('#search').fill('');
  await page.getByLabel('Namespace').selectOption('shop-3');
  await eventually(page.locator('#summary'), /^300 spans on 30 tracks/);
  await page.getByLabel('Time range').selectOption('Last hour');
  await eventually(page.locator('#summary'), /^(2[5-7]) spans on/);
  await inTheEnd(() => page.url()).toMatch(/namespace=shop-3&last=3600000/);
  await page.reload();
  await eventually(page.locator('#summary'), /^(2[5-7]) spans on/);
});

test('the button for the next failure selects one failure after the other', async () => {
  const page = await openMany();
  const next = page.getByRole('button', { name: 'Next failure' });
  await page.getByLabel('Time range').selectOption('Last hour');
  await next.click();
  await eventually(page.locator('#said'), /: (Failed|Unknown)/);
  const first = await page.locator('#said').textContent();
  await next.click();
  await inTheEnd(() => page.locator('#said').textContent()).not.toBe(first);
  await page.locator('#search').fill('no such text');
  await inTheEnd(() => next.isDisabled()).toBe(true);
});

test('the table has the reason of each span, and sorts by a column', async () => {
  const page = await openMany();
  await page.keyboard.press('t');
  const first = page.locator('#table tbody tr').first();
  await page.getByRole('button', { name: 'Outcome', exact: true }).click();
  await eventually(first.locator('.is-outcome'), 'Still frozen');
  await eventually(first.locator('.is-reason'), 'The snapshot is not ready yet');
  expect(await page.locator('th[aria-sort=ascending]').textContent()).toBe('Outcome');
  await page.getByRole('button', { name: 'Outcome', exact: true }).click();
  await eventually(first.locator('.is-outcome'), 'Succeeded');
  expect(await page.locator('th[aria-sort=descending]').textContent()).toBe('Outcome');
});
