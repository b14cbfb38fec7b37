/**
 * The documentation as a site: `npm run site`. Link targets are looked up in the generated HTML, not in the lists of
 * the build.
 */
import MiniSearch from 'minisearch';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { buildSite } from '../scripts/site/build.ts';
import { SEARCH_OPTIONS, type SearchEntry } from '../scripts/site/search-options.ts';

let folder = '';
let out = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lifehook-site-'));
  out = join(folder, 'site');
  await buildSite('.', out);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const filesBelow = (directory: string, ending: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith(ending),
  );

it('has a page for every document, and each is named in the navigation or in a list', () => {
  const documents = filesBelow('docs', '.md').map((path) => `docs/${path}`);
  expect(documents.length).toBeGreaterThan(60);
  const built = new Set(filesBelow(out, '.html'));
  const pages = documents.map((path) =>
    path.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html'),
  );
  expect(pages.filter((page) => !built.has(page))).toEqual([]);
  const linked = new Set([...built].flatMap((page) => linksOf(page).map(({ path }) => path)));
  expect(pages.filter((page) => !linked.has(page))).toEqual([]);
});

it('has every page, heading, picture, style and script that a page of it names', () => {
  const pages = filesBelow(out, '.html');
  const links = pages.flatMap((page) => linksOf(page).map((link) => ({ page, ...link })));
  expect(links.length).toBeGreaterThan(1_000);
  expect(links.filter(({ path }) => path.endsWith('.png')).length).toBeGreaterThan(1);
  const dead = links.filter(({ path, anchor }) => {
    if (!existsSync(join(out, path))) return true;
    return anchor !== '' && !idsOf(path).has(anchor);
  });
  expect(dead).toEqual([]);
});

it('takes its navigation from the sections of docs/README.md', () => {
  const navigation = /<nav.*<\/nav>/s.exec(readFileSync(join(out, 'docs/get.html'), 'utf8'))?.[0];
  const sections = readFileSync('docs/README.md', 'utf8').match(/(?<=^## ).+$/gm) ?? [];
  expect(sections.length).toBeGreaterThan(3);
  const shown = [...(navigation ?? '').matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title);
  expect(shown).toEqual(sections);
  expect(navigation).toContain('<a href="../docs/snapshots.html">The snapshot lifecycle</a>');
  expect(navigation).toContain('aria-current="page"');
});

it('finds the thaw of a snapshot by its search index', () => {
  const script = readFileSync(join(out, 'search-index.js'), 'utf8');
  const text = JSON.parse(script.replace(/^self\.siteIndex=/, '')) as string;
  const found = MiniSearch.loadJSON<SearchEntry>(text, SEARCH_OPTIONS).search('thaw');
  const ids = found.map(({ id }) => String(id));
  expect(ids.some((id) => id.startsWith('docs/snapshots.html#'))).toBe(true);
  const [path = '', anchor = ''] = ids[0]?.split('#') ?? [];
  expect(idsOf(path).has(anchor)).toBe(true);
});

it('is not built with a link to a file or a heading that does not exist, and says where each link is', async () => {
  const root = join(folder, 'broken');
  for (const path of ['docs', 'examples', 'README.md', 'package.json']) {
    cpSync(path, join(root, path), { recursive: true });
  }
  appendFileSync(
    join(root, 'docs/get.md'),
    '\n[a](no-such.md), [b](pods.md#no-such), ![c](no.png)\n',
  );
  const built = buildSite(root, join(folder, 'nothing'));
  await expect(built).rejects.toThrow('docs/get.md: no-such.md does not exist');
  await expect(built).rejects.toThrow('docs/get.md: docs/pods.md has no #no-such');
  await expect(built).rejects.toThrow('docs/get.md: no.png does not exist');
  expect(existsSync(join(folder, 'nothing'))).toBe(false);
});

interface Link {
  /** Path relative to the site. */
  readonly path: string;
  readonly anchor: string;
}

/** All links that stay within the site. */
function linksOf(page: string): Link[] {
  const html = readFileSync(join(out, page), 'utf8');
  const addresses = [...html.matchAll(/\b(?:href|src|srcset)="([^"]*)"/g)].map(
    ([, address = '']) => new URL(address, `site:///${page}`),
  );
  return addresses
    .filter(({ protocol }) => protocol === 'site:')
    .map(({ pathname, hash }) => ({ path: pathname.slice(1), anchor: hash.slice(1) }));
}

function idsOf(page: string): ReadonlySet<string> {
  const html = readFileSync(join(out, page), 'utf8');
  return new Set([...html.matchAll(/\bid="([^"]+)"/g)].map(([, id = '']) => id));
}
