/** Tests what a user does with a failed run in Chromium: compare it, copy a command, export it as JSON. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import type { Bar, BarPage } from '../../src/timeline/bar.ts';
import { badMorning, bar } from './timeline-bars.ts';
import { eventually, inTheEnd } from './timeline-look.ts';
import { openedTimeline, WIDE } from './timeline-opened.ts';

const timeline = openedTimeline();

async function saved(page: Page, link: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-report-'));
  try {
    const saving = page.waitForEvent('download');
    await page.locator(link).click();
    const path = join(folder, 'saved');
    await (await saving).saveAs(path);
    return await readFile(path, 'utf8');
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Two sessions: the earlier one has succeeded, and the later one has failed in its second step. */
function twoSessions(nowMs: number): readonly Bar[] {
  const step = (title: string, at: readonly [number, number], more: Partial<Bar> = {}): Bar =>
    bar(nowMs, at, {
      id: title,
      lifecycle: 'pipeline',
      lane: 'build/web',
      run: title.slice(0, 'build aaaa'.length),
      point: 'build before',
      name: title.slice('build aaaa '.length),
      ...more,
    });
  return [
    step('build aaaa generate', [900, 899]),
    step('build aaaa compile', [899, 897]),
    step('build aaaa scan', [897, 896]),
    step('build bbbb generate', [60, 59]),
    step('build bbbb compile', [59, 20], {
      outcome: 'Failed',
      exitCode: 2,
      next: 'lifehook pipeline rerun bbbb-2',
    }),
  ];
}

test('the details compare a failed run with the last good one step by step', async () => {
  const page = await timeline.open(twoSessions(Date.now()));
  await page.keyboard.press('n');
  await page.keyboard.press('Enter');
  const detail = page.locator('#detail');
  await eventually(detail.locator('h2'), 'compile');
  expect(await detail.locator('.comparison tbody tr').allInnerTexts()).toEqual([
    expect.stringMatching(/generate\s+Succeeded, 1.0 s\s+Succeeded, 1.0 s$/),
    expect.stringMatching(
      /compile\s+Succeeded, 2.0 s\s+Failed, 39 s\s*Failed with exit code 2, 20 times as long$/,
    ),
    expect.stringMatching(/scan\s+Succeeded, 1.0 s\s+\u2013\s*not reached$/),
  ]);
  await eventually(detail.locator('.next'), /Next step\s*lifehook pipeline rerun bbbb-2/);
  await eventually(detail, "lifehook runs show --lifecycle pipeline 'build bbbb'");
  await detail.getByRole('button', { name: 'build aaaa' }).click();
  await eventually(detail.locator('h2'), 'generate');
  expect(await detail.locator('.comparison').count()).toBe(0);
});

test('JSON is exported by the server, by a report, and by a page whose server has stopped', async () => {
  const page = await timeline.open(badMorning(Date.now()));
  const served = JSON.parse(await saved(page, '#export-json')) as BarPage;
  const report = await saved(page, '#export-html');
  await timeline.stand().stop();
  await eventually(page.locator('#as-of'), 'as of');
  expect(await page.locator('#export-html').isVisible()).toBe(false);
  const kept = JSON.parse(await saved(page, '#export-json')) as BarPage;
  expect(kept.bars).toEqual(served.bars);
  expect(kept.sources).toEqual(served.sources);
  expect(Date.parse(kept.exportedAt ?? '')).toBe(kept.now);
  await timeline.context().close();

  const folder = await mkdtemp(join(tmpdir(), 'lifehook-report-'));
  try {
    await writeFile(join(folder, 'report.html'), report);
    const opened = await timeline.watch('file://', WIDE);
    await opened.goto(`file://${join(folder, 'report.html')}`);
    await inTheEnd(() => opened.locator('#export-json').isVisible()).toBe(true);
    const held = /id="timeline">(.*?)<\/script>/s.exec(report)?.[1] ?? '';
    expect(JSON.parse(await saved(opened, '#export-json'))).toEqual(JSON.parse(held));
  } finally {
    await rm(folder, { recursive: true });
  }
});
