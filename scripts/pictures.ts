/**
 * Takes the pictures of the README, `docs/pictures/timeline-*.png`: runs the demo, and opens its timeline in Chromium
 * (`$CHROMIUM`), light and dark. Needs `npm run build`.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const OUT = 'docs/pictures';
/** Pixels. As wide as a README, and high enough to show the freeze of the snapshot. */
const VIEWPORT = { width: 1_280, height: 860 };
const BYTES_MAX = 150_000;

const folder = await mkdtemp(join(tmpdir(), 'lifehook-pictures-'));
try {
  execFileSync(process.execPath, [resolve('dist/lifehook.js'), 'demo'], {
    cwd: folder,
    stdio: 'inherit',
  });
  await mkdir(OUT, { recursive: true });
  await photograph(pathToFileURL(join(folder, 'timeline.html')).href);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function photograph(url: string): Promise<void> {
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: VIEWPORT, colorScheme });
      await page.goto(url);
      await page.locator('#summary').getByText(/\d/).waitFor();
      const path = `${OUT}/timeline-${colorScheme}.png`;
      await page.screenshot({ path, animations: 'disabled' });
      const { size } = await stat(path);
      if (size > BYTES_MAX) throw new Error(`${path} has ${size} bytes, at most ${BYTES_MAX}`);
    }
  } finally {
    await browser.close();
  }
}
