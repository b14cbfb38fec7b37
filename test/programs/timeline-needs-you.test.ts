/** Tests the panel of the page that lists what a user must act on, in Chromium. */
import { expect, test } from 'vitest';

import { badMorning, bar, manyBars, troubled } from './timeline-bars.ts';
import { evaluate, eventually, inTheEnd } from './timeline-look.ts';
import { openedTimeline } from './timeline-opened.ts';

const timeline = openedTimeline();

test('the panel lists an overdue thaw, a freeze, a held rollout and failures with reason and command', async () => {
  const nowMs = Date.now();
  const page = await timeline.open([...badMorning(nowMs), ...troubled(nowMs)]);
  const panel = page.locator('#needs-you');
  await eventually(panel, /1 thaw overdue, 1 frozen, 1 held, 2 failed in the last hour/);
  const rows = panel.locator('.needs-row');
  await page.getByRole('button', { name: 'Show all 5' }).click();
  await inTheEnd(() => rows.count()).toBe(5);
  const text = (at: number): Promise<string> => rows.nth(at).innerText();
  expect(await text(0)).toMatch(
    /Thaw overdue\s+shop\/billing-0\/mysql since .*\sThe thaw has failed so far: exit code 1\. Thaw billing-0\/mysql by hand, then run:\s+lifehook snapshot release -n shop hourly-0 --by YOU/,
  );
  expect(await text(1)).toMatch(/Frozen now\s+shop\/cache-0\/redis since/);
  expect(await text(2)).toMatch(/Held\s+shop\/cart[^]*lifehook rollout retry -n shop cart/);
  expect(await text(3)).toMatch(/Failed\s+shop\/worker-1 register at [^]*connection refused/);

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await rows.nth(2).getByRole('button', { name: 'Copy' }).click();
  await inTheEnd(() => evaluate(page, 'navigator.clipboard.readText()')).toBe(
    'lifehook rollout retry -n shop cart',
  );
  await rows.nth(2).getByRole('button', { name: 'shop/cart' }).click();
  await eventually(page.locator('#detail h2'), 'rollout 7');
});

test('the panel is empty, and says so, when nothing is frozen, held or failed', async () => {
  const page = await timeline.open([
    bar(Date.now(), [9, 8], {
      id: 'good',
      lifecycle: 'pod',
      lane: 'shop/web',
      point: 'preStop',
      name: 'drain',
    }),
  ]);
  await eventually(
    page.locator('#needs-you'),
    'Nothing is frozen, overdue or held, and nothing failed in the last hour.',
  );
});

test('with 2 000 failed runs the panel shows at most 50, and leaves most of the page to the tracks', async () => {
  const nowMs = Date.now();
  const failed = manyBars(nowMs, 2_000).map((one, index) => ({
    ...one,
    run: `run-${index}`,
    outcome: 'Failed' as const,
  }));
  const page = await timeline.open(failed);
  const rows = page.locator('.needs-row');
  await inTheEnd(() => rows.count()).toBe(3);
  const share = `document.getElementById('chart').clientHeight / innerHeight`;
  expect(await evaluate<number>(page, share)).toBeGreaterThan(0.5);
  await page.getByRole('button', { name: 'Show all 50' }).click();
  await inTheEnd(() => rows.count()).toBe(50);
  expect(await evaluate<number>(page, share)).toBeGreaterThan(0.3);
});
