/** Tests the page without new data: after a lost connection, and in a saved report. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { badMorning } from './timeline-bars.ts';
import { evaluate, eventually, frames, inTheEnd } from './timeline-look.ts';
import { openedTimeline, WIDE } from './timeline-opened.ts';

const timeline = openedTimeline();

const AS_OF = /as of \d\d:\d\d:\d\d/;

/** The texts and the pixels that change while the page counts time. */
const counted = async (page: Page): Promise<readonly string[]> => [
  await page.locator('#needs-you').innerText(),
  await page.locator('#detail').innerText(),
  await evaluate<string>(page, 'document.getElementById("lanes").toDataURL()'),
];

const pageTimePasses = (page: Page): Promise<void> =>
  evaluate(page, 'new Promise((done) => setTimeout(done, 2_500))');

test('the page stops its counters at the time of the last known state when the server has stopped', async () => {
  const page = await timeline.open(badMorning(Date.now()));
  await page.evaluate('location.hash = "bar=s6"');
  await eventually(page.locator('#detail'), 'Still frozen');
  await timeline.stand().stop();
  const asOf = page.locator('#as-of');
  await eventually(asOf, AS_OF);
  const grey = 'getComputedStyle(document.getElementById("summary")).color';
  expect(await evaluate(page, 'getComputedStyle(document.getElementById("as-of")).color')).toBe(
    await evaluate(page, grey),
  );
  await frames(page);
  const before = await counted(page);
  expect(before[0]).toMatch(/FROZEN as of \d\d:\d\d:\d\d/i);
  expect(before[1]).toMatch(/Frozen as of \d\d:\d\d:\d\d/);
  await pageTimePasses(page);
  expect(await counted(page)).toEqual(before);
  expect(await page.getByRole('button', { name: 'Now', exact: true }).isVisible()).toBe(false);

  await timeline.stand().start();
  await eventually(page.locator('#connection'), 'Live');
  await inTheEnd(() => asOf.isVisible()).toBe(false);
  await inTheEnd(() => page.locator('#needs-you').innerText()).toMatch(/frozen now/i);
  expect(await page.locator('#detail').innerText()).toContain('Still frozen');
});

test('the page reports a lost connection when the server is silent without closing it', async () => {
  const page = await timeline.open(badMorning(Date.now()));
  await page.clock.install();
  await page.reload();
  await eventually(page.locator('#connection'), 'Live');
  await page.route('**/api/bars*', (route) => route.abort());
  await page.clock.fastForward(60_000);
  await eventually(page.locator('#connection'), 'Lost');
  await eventually(page.locator('#as-of'), AS_OF);
});

test('a saved report shows its date and never the word "now"', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-report-'));
  try {
    const live = await timeline.open(badMorning(Date.now()));
    const saving = live.waitForEvent('download');
    await live.locator('#export-html').click();
    const path = join(folder, 'report.html');
    await (await saving).saveAs(path);
    await timeline.context().close();

    const page = await timeline.watch('file://', WIDE);
    await page.goto(`file://${path}#bar=s6`);
    await eventually(page.locator('#detail'), /Frozen as of/);
    await eventually(page.locator('#needs-you'), /Frozen as of \d\d:\d\d:\d\d/i);
    for (const view of ['chart', 'table']) {
      await inTheEnd(() => page.locator(`#${view}`).isVisible()).toBe(true);
      expect(await page.locator('body').innerText()).not.toMatch(/\bnow\b/i);
      expect(await page.locator('body').innerText()).not.toMatch(/not yet|still/i);
      await page.keyboard.press('t');
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
