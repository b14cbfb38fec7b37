/** Tests the timeline's page on narrow screens, and in dark colours. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { badMorning } from './timeline-bars.ts';
import { evaluate, eventually, frames, pixels } from './timeline-look.ts';
import { openedTimeline } from './timeline-opened.ts';

const timeline = openedTimeline();

const open = (options: Parameters<typeof timeline.open>[1]): Promise<Page> =>
  timeline.open(badMorning(Date.now()), options);

test('a narrow screen shows every part without horizontal scrolling', async () => {
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
  // The name and the outcome of each span are visible without sideways scrolling in the table.
  const inSight = `[...document.querySelectorAll('#table tbody td:is(.is-name, .is-outcome)')]
    .every((cell) => cell.getBoundingClientRect().width > 0 && cell.getBoundingClientRect().right <= innerWidth)`;
  expect(await evaluate(page, inSight)).toBe(true);
});

test('the color scheme follows the system until the user chooses one', async () => {
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
