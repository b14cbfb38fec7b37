/** Tests the timeline's page as a user has it: in Chromium, from the server that serves it and from a file. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { badMorning, bar, manyBars } from './timeline-bars.ts';
import { evaluate, eventually, frames, inTheEnd, pixels } from './timeline-look.ts';
import { openedTimeline, WIDE } from './timeline-opened.ts';

const timeline = openedTimeline();

test('the page shows new spans live, and names a frozen target until it is thawed', async () => {
  const nowMs = Date.now();
  const page = await timeline.open(badMorning(nowMs));
  await eventually(page.locator('#summary'), '27 spans on 10 tracks');
  const banner = page.locator('.needs-row.needs-frozen');
  await eventually(banner, /Frozen now.*shop\/cache-0\/redis since \d\d:\d\d:\d\d/);
  await eventually(banner, 'lifehook snapshot thaw nightly-0042 -n shop');
  const frozen = timeline.stand().store.get('s6');
  if (frozen === undefined) throw new Error('the frozen window is not served');
  timeline.stand().store.put({ ...frozen, endMs: Date.now(), outcome: 'Succeeded' });
  await inTheEnd(() => banner.count()).toBe(0);

  expect(await page.locator('#names .name[title="shop/late"]').count()).toBe(0);
  const late = { lifecycle: 'pipeline', lane: 'shop/late', point: 'before', name: 'x' } as const;
  timeline.stand().store.put(bar(Date.now(), [1, null], { ...late, id: 'late' }));
  await inTheEnd(() => page.locator('#names .name[title="shop/late"]').count()).toBe(1);
});

test('the page shows at least one minute for the first span of an empty timeline', async () => {
  const page = await timeline.open([]);
  const first = { lifecycle: 'pod', lane: 'shop/first', point: 'preStop', name: 'x' } as const;
  timeline.stand().store.put(bar(Date.now(), [0.03, null], { ...first, id: 'first' }));
  await eventually(page.locator('#axis-date'), '1 min');
});

test('the page resumes its event stream when the server is back, and reloads after a new start', async () => {
  const page = await timeline.open(badMorning(Date.now()));
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await timeline.stand().stop();
  await eventually(page.locator('#connection'), 'Lost');
  const late = { lifecycle: 'pod', lane: 'shop/meanwhile', point: 'preStop', name: 'x' } as const;
  timeline.stand().store.put(bar(Date.now(), [1, 0.5], { ...late, id: 'meanwhile' }));
  await timeline.stand().start();
  await eventually(page.locator('#connection'), 'Live');
  await eventually(page.locator('#summary'), '28 spans on 11 tracks');
  expect(new Set(asked)).toEqual(new Set(['/api/events']));

  // The server restarts without the spans that this page has seen.
  await timeline.stand().stop();
  await timeline.stand().start(manyBars(Date.now(), 5));
  await eventually(page.locator('#summary'), '5 spans on 1 track');
  expect(asked).toContain('/api/bars');
});

test('a page whose session has expired shows how to sign in again', async () => {
  const page = await timeline.open(badMorning(Date.now()));
  await timeline.context().clearCookies();
  await timeline.stand().stop();
  await timeline.stand().start();
  await eventually(page.locator('#connection'), 'Signed out');
  // This text comes from the server, which knows how it was started.
  await eventually(page.locator('#banners'), 'a link that works once: run it again.');
});

test('the keyboard alone finds, opens and closes a span, and its link opens it again', async () => {
  const page = await timeline.open(badMorning(Date.now()));
  await page.keyboard.press('n');
  await eventually(page.locator('#said'), /migrate \(pre\) on shop\/checkout, attempt 1: Failed/);
  await page.keyboard.press('ArrowRight');
  await eventually(page.locator('#said'), /migrate .*attempt 2: Succeeded/);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  const detail = page.locator('#detail');
  await eventually(detail.locator('h2'), 'migrate');
  for (const said of [
    'Exit code3',
    'lock timeout after 8000 ms',
    'policyRetry',
    'kubectl -n shop',
  ]) {
    expect(await detail.textContent()).toContain(said);
  }
  await inTheEnd(() => evaluate(page, 'location.hash')).toContain('bar=r3');
  const link = page.url();
  await page.keyboard.press('Escape');
  await inTheEnd(() => detail.isVisible()).toBe(false);
  expect(await evaluate(page, 'document.activeElement.id')).toBe('chart');

  const other = await timeline.context().newPage();
  await other.goto(link);
  await eventually(other.locator('#detail h2'), 'migrate');
  await other.evaluate('location.hash = "bar=s2"');
  await eventually(other.locator('#detail'), /thawed bypostAction thaw/);
  await other.evaluate('location.hash = "bar=unheard-of"');
  await eventually(other.locator('#banners'), 'The span that this link names is not here');
});

test('a click on a span opens it, and the help lists the keys', async () => {
  const page = await timeline.open([
    bar(Date.now(), [100, 0], {
      id: 'only',
      lifecycle: 'pod',
      lane: 'shop/web',
      point: 'preStop',
      name: 'drain',
    }),
  ]);
  await page.keyboard.press('0');
  await frames(page);
  const lanes = page.locator('#lanes');
  await lanes.hover({ position: { x: 300, y: 52 } });
  await eventually(page.locator('#tooltip'), /Hook drain \(preStop\) on shop\/web/);
  await lanes.click({ position: { x: 300, y: 52 } });
  await eventually(page.locator('#detail h2'), 'drain');
  await page.keyboard.press('?');
  await eventually(page.locator('#help[open]'), 'next failure');
  await page.keyboard.press('Escape');

  // If no span is in view, the track marks the side on which there is one.
  await page.evaluate('location.hash = "from=1000&to=2000"');
  const detail = page.locator('#detail');
  await inTheEnd(() => detail.isVisible()).toBe(false);
  await frames(page);
  const width = await evaluate<number>(page, 'document.getElementById("lanes").clientWidth');
  await lanes.click({ position: { x: width - 20, y: 48 } });
  await inTheEnd(() => detail.isVisible()).toBe(true);
});

test('a link that is set just before the view updates the address is kept', async () => {
  const page = await timeline.open(badMorning(Date.now()));
  await page.keyboard.press('0');
  await frames(page);
  // The view moves, the update of its address becomes due while the page is busy, and then a link is opened.
  await page.evaluate(`new Promise((done) => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '+', bubbles: true }));
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      location.hash = 'bar=s2';
      done();
    };
    requestAnimationFrame(() => requestAnimationFrame(() => {
      port2.postMessage('');
      const until = performance.now() + 400;
      while (performance.now() < until);
    }));
  })`);
  await inTheEnd(() => page.locator('#detail').isVisible()).toBe(true);
  await inTheEnd(() => evaluate(page, 'location.hash')).toContain('bar=s2');
});

test('the filter shows only spans that match, also after a reload of its link', async () => {
  const page = await timeline.open(badMorning(Date.now()));
  await page.keyboard.press('/');
  await page.keyboard.type('shop checkout');
  await eventually(page.locator('#summary'), '9 spans on 1 track');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Failed/ }).click();
  await eventually(page.locator('#summary'), '1 span on 1 track');
  await inTheEnd(() => page.url()).toMatch(/filter=shop\+checkout&outcome=Failed/);
  await page.reload();
  await eventually(page.locator('#summary'), '1 span on 1 track');
  await page.locator('#search').fill('nothing is called so');
  await eventually(page.locator('#empty'), 'No span matches');
  await page.getByRole('button', { name: 'Show all spans' }).click();
  await eventually(page.locator('#summary'), '27 spans');
});

test('zoom, drag and wheel change the visible time range, not the number of spans', async () => {
  const page = await timeline.open(manyBars(Date.now(), 300));
  const span = (): Promise<string> => page.locator('#axis-date').innerText();
  await page.keyboard.press('0');
  await frames(page);
  const all = await span();
  await page.keyboard.press('+');
  await inTheEnd(span).not.toBe(all);
  await page.keyboard.press('0');
  await inTheEnd(span).toBe(all);
  await page.locator('#lanes').hover({ position: { x: 500, y: 200 } });
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -400);
  await page.keyboard.up('Control');
  await inTheEnd(span).not.toBe(all);
  const zoomed = await evaluate<string>(page, 'location.hash');
  await page.mouse.down();
  await page.mouse.move(300, 400, { steps: 3 });
  await page.mouse.up();
  await inTheEnd(() => evaluate(page, 'location.hash')).not.toBe(zoomed);
  await eventually(page.locator('#summary'), '300 spans');
});

test('ten thousand spans are drawn with fewer than 400 elements, and failures stay visible', async () => {
  const page = await timeline.open(manyBars(Date.now(), 10_000));
  await eventually(page.locator('#summary'), '10,000 spans on 100 tracks');
  await page.keyboard.press('0');
  await frames(page);
  expect(await pixels(page, 'failed')).toBeGreaterThan(1_000);
  await page.getByLabel('Order of tracks').selectOption('By name');
  await frames(page);
  expect(await evaluate<number>(page, 'document.querySelectorAll("*").length')).toBeLessThan(400);
  // Lets the page draw while the test scrolls down to the last track.
  for (let times = 0; times < 10; times += 1) {
    await page.evaluate('document.getElementById("scroller").scrollTop += 600');
    await frames(page, 1);
  }
  await eventually(page.locator('#names'), 'app-99');
  expect(await evaluate<number>(page, 'document.querySelectorAll("*").length')).toBeLessThan(400);
  // A frame draws fewer shapes than there are spans: it draws only spans in view, and merges narrow ones.
  const shapes = await evaluate<number>(
    page,
    `new Promise((done) => {
      const { prototype } = CanvasRenderingContext2D;
      let count = 0;
      for (const name of ['fill', 'fillRect', 'fillText', 'stroke', 'strokeRect']) {
        const draw = prototype[name];
        prototype[name] = function (...given) {
          count += 1;
          return draw.apply(this, given);
        };
      }
      requestAnimationFrame(() => {
        count = 0;
        document.getElementById('scroller').dispatchEvent(new Event('scroll'));
        requestAnimationFrame(() => requestAnimationFrame(() => done(count)));
      });
    })`,
  );
  expect(shapes).toBeGreaterThan(100);
  expect(shapes).toBeLessThan(10_000);
});

test('the table shows the same spans, 100 on a page', async () => {
  const page = await timeline.open(manyBars(Date.now(), 250));
  await page.keyboard.press('t');
  const rows = page.locator('#table tbody tr');
  await inTheEnd(() => rows.count()).toBe(100);
  const next = page.locator('.pager').getByRole('button', { name: 'Next' });
  await next.click();
  await next.click();
  await inTheEnd(() => rows.count()).toBe(50);
  await rows.last().getByRole('button').click();
  await eventually(page.locator('#detail h2'), 'hook 0');
});

test('a saved report opens from its file without a server, with its state unchanged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-report-'));
  try {
    const live = await timeline.open(badMorning(Date.now()));
    const saving = live.waitForEvent('download');
    await live.locator('#export-html').click();
    const path = join(folder, 'report.html');
    await (await saving).saveAs(path);
    await timeline.context().close();
    await timeline.stand().stop();

    const page = await timeline.watch('file://', WIDE);
    await page.goto(`file://${path}#bar=r3`);
    await eventually(page.locator('#connection'), /^Report of \d+ \w+ \d{4}/);
    await eventually(page.locator('#detail h2'), 'migrate');
    const frozen = page.locator('.needs-row.needs-frozen');
    const said = await frozen.textContent();
    expect(said).toMatch(/shop\/cache-0\/redis since .* \(\d+ s\)/);
    await frames(page, 30);
    expect(await frozen.textContent()).toBe(said);
    expect(await pixels(page, 'frozen')).toBeGreaterThan(20);
    expect(await page.locator('#export-html').isVisible()).toBe(false);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('an empty page shows a next step, and a source that cannot be read shows its error', async () => {
  const page = await timeline.open([]);
  await eventually(page.locator('#empty'), /Nothing has run yet.*lifehook dev/);
  timeline.stand().store.setSource('cluster kind', 'the connection was refused');
  await eventually(page.locator('#banners'), 'cluster kind cannot be read: the connection');
});
