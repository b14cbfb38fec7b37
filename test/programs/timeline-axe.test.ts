/** Runs axe-core in Chromium on every view of the page: light and dark, wide and narrow. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

import { badMorning, manyRuns, troubled } from './timeline-bars.ts';
import { evaluate, eventually, frames, inTheEnd } from './timeline-look.ts';
import { openedTimeline } from './timeline-opened.ts';

const timeline = openedTimeline();

interface Found {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly {
      readonly target: readonly string[];
      readonly failureSummary: string;
    }[];
  }[];
}

/** Describes each violation, whatever its severity, as "rule element: what to do". */
async function violations(page: Page): Promise<readonly string[]> {
  await frames(page);
  await page.evaluate(axe.source);
  const { violations: found } = await evaluate<Found>(page, 'axe.run(document)');
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}

const SCREENS = [
  ['light', 1_280],
  ['dark', 1_280],
  ['light', 390],
  ['dark', 390],
] as const;

describe.each(SCREENS)('the %s page at %i pixels', (colorScheme, width) => {
  const options = { viewport: { width, height: 844 }, colorScheme };
  const open = (): Promise<Page> => {
    const nowMs = Date.now();
    const bars = [...badMorning(nowMs), ...troubled(nowMs), ...manyRuns(nowMs, 100)];
    return timeline.open(bars, options);
  };

  test('has no violation in the tracks, the table, the details, the help and after a lost connection', async () => {
    const page = await open();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show all' }).click();
    await inTheEnd(() => page.locator('.needs-row').count()).toBeGreaterThan(3);
    expect(await violations(page)).toEqual([]);
    await page.locator('#chart').focus();
    await page.keyboard.press('n');
    await page.keyboard.press('Enter');
    await eventually(page.locator('#detail'), 'Compared with the last good run');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('t');
    await inTheEnd(() => page.locator('#table tbody tr').count()).toBe(100);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('?');
    await inTheEnd(() => page.locator('#help[open]').count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await timeline.stand().stop();
    await eventually(page.locator('#as-of'), 'as of');
    expect(await violations(page)).toEqual([]);
  });

  test('has no violation without a span, without a match and with an unreadable source', async () => {
    const page = await timeline.open([], options);
    timeline.stand().store.setSource('cluster kind', 'the connection was refused');
    await eventually(page.locator('#banners'), 'cluster kind cannot be read');
    await eventually(page.locator('#empty'), 'Nothing has run yet');
    expect(await violations(page)).toEqual([]);
    timeline.stand().store.put(badMorning(Date.now())[0] as never);
    await eventually(page.locator('#needs-you'), 'Nothing is frozen');
    await page.locator('#search').fill('no such text');
    await eventually(page.locator('#empty'), 'No span matches');
    expect(await violations(page)).toEqual([]);
  });
});
