/** Tests the page when it is printed, in Chromium. */
import { expect, test } from 'vitest';

import { badMorning, manyBars } from './timeline-bars.ts';
import { evaluate, eventually, frames, inTheEnd } from './timeline-look.ts';
import { openedTimeline } from './timeline-opened.ts';

const timeline = openedTimeline();

const DARK = { viewport: { width: 1_280, height: 800 }, colorScheme: 'dark' } as const;

test('a print is light, shows the panel and the tracks, and no button', async () => {
  const page = await timeline.open(badMorning(Date.now()), DARK);
  await page.keyboard.press('n');
  await page.keyboard.press('Enter');
  await eventually(page.locator('#detail h2'), 'migrate');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await inTheEnd(() => evaluate(page, 'document.documentElement.dataset.theme')).toBe('light');
  await frames(page);
  for (const shown of ['#needs-you', '#lanes', '#detail', '#needs-you code']) {
    expect(await page.locator(shown).first().isVisible(), shown).toBe(true);
  }
  const buttons = page.locator('button, select, input, nav a');
  const visible = await buttons.evaluateAll((all) =>
    (all as { className: string; offsetParent: unknown; textContent: string }[])
      .filter(({ className, offsetParent }) => offsetParent !== null && className !== 'link')
      .map(({ textContent }) => textContent),
  );
  expect(visible.filter((text) => !/tracks?/.test(text) && !/^\w+: /.test(text))).toEqual([]);
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
  await inTheEnd(() => evaluate(page, 'document.documentElement.dataset.theme')).toBe('dark');
});

test('a print of the table has all rows of its page, not only those that fit a screen', async () => {
  const page = await timeline.open(manyBars(Date.now(), 100), DARK);
  await page.keyboard.press('t');
  await inTheEnd(() => page.locator('#table tbody tr').count()).toBe(100);
  const scrolls = 'document.querySelector(".table-scroller").scrollHeight > innerHeight';
  expect(await evaluate(page, scrolls)).toBe(true);
  const clipped = `[...document.querySelectorAll('body, #main, #table, .table-scroller')]
    .filter((one) => getComputedStyle(one).overflowY !== 'visible' && one.scrollHeight > one.clientHeight + 1)
    .map(({ id, className }) => id || className)`;
  expect(await evaluate(page, clipped)).toEqual(['table-scroller']);
  await page.emulateMedia({ media: 'print' });
  await frames(page);
  expect(await evaluate(page, clipped)).toEqual([]);
  const whole =
    'document.documentElement.scrollHeight >= document.querySelector("table").offsetHeight';
  expect(await evaluate(page, whole)).toBe(true);
});
