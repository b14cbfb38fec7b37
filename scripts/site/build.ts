/**
 * Builds the documentation as a static site. @throws if a link leads to no file, no page or no heading: the message
 * lists all of them, and nothing is written.
 */
import { build } from 'esbuild';
import MiniSearch from 'minisearch';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { layOut } from './layout.ts';
import type { Site } from './links.ts';
import { navigationOf } from './navigation.ts';
import { readPages } from './pages.ts';
import { type Rendered, renderPage } from './render.ts';
import { SEARCH_OPTIONS, type SearchEntry } from './search-options.ts';

const WEB = fileURLToPath(new URL('web/', import.meta.url));
/** Maximum length of the excerpt of a section in the list of results. */
const START_CHARACTERS = 140;

/** Builds the site; returns the number of pages. */
export async function buildSite(root: string, out: string): Promise<number> {
  const site: Site = { root, pages: readPages(root), repository: repositoryOf(root) };
  const rendered = [...site.pages.values()].map((page) => renderPage(site, page));
  const dead = deadLinksOf(rendered);
  if (dead.length > 0) {
    throw new Error(`Cannot build the site: ${dead.length} dead links\n  ${dead.join('\n  ')}`);
  }
  const index = rendered.find(({ page }) => page.path === 'docs/README.md');
  const navigation = index === undefined ? [] : navigationOf(index, rendered);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), text);
  };
  for (const one of rendered) write(one.page.url, layOut(one, navigation));
  for (const path of picturesOf(rendered)) cpSync(join(root, path), join(out, path));
  write('search-index.js', `self.siteIndex=${JSON.stringify(searchIndexOf(rendered))}`);
  await buildBrowserFiles(out);
  return rendered.length;
}

function repositoryOf(root: string): string {
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    repository: { url: string };
  };
  return repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
}

function deadLinksOf(rendered: readonly Rendered[]): string[] {
  const anchors = new Map(
    rendered.map(({ page, sections }) => [page, new Set(sections.map(({ anchor }) => anchor))]),
  );
  return rendered.flatMap(({ page, targets }) =>
    targets.flatMap((target) => {
      if (target.kind === 'dead') return [`${page.path}: ${target.href} does not exist`];
      if (target.kind !== 'page' || target.anchor === '') return [];
      const isThere = anchors.get(target.page)?.has(target.anchor) === true;
      return isThere ? [] : [`${page.path}: ${target.page.path} has no #${target.anchor}`];
    }),
  );
}

function picturesOf(rendered: readonly Rendered[]): ReadonlySet<string> {
  const targets = rendered.flatMap((one) => one.targets);
  return new Set(targets.flatMap((target) => (target.kind === 'picture' ? [target.path] : [])));
}

/** The index as a text, which the browser parses only when a user starts to search. */
function searchIndexOf(rendered: readonly Rendered[]): string {
  const search = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
  for (const { page, title, sections } of rendered) {
    search.addAll(
      sections.map((section) => ({
        id: `${page.url}#${section.anchor}`,
        page: title,
        title: section.title,
        text: section.text,
        start: section.text.slice(0, START_CHARACTERS),
      })),
    );
  }
  return JSON.stringify(search);
}

async function buildBrowserFiles(out: string): Promise<void> {
  await build({
    entryPoints: { search: join(WEB, 'search.ts'), style: join(WEB, 'style.css') },
    outdir: out,
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['es2022', 'chrome120', 'firefox121', 'safari17'],
    logLevel: 'warning',
  });
}
