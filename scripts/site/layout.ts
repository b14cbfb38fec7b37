/**
 * The HTML around the content of a page. All addresses are relative: the site works below any path, and from a local
 * directory.
 */
import { dirname, relative } from 'node:path/posix';

import type { NavigationSection } from './navigation.ts';
import type { Rendered } from './render.ts';

export function layOut(
  { page, title, html, sections }: Rendered,
  navigation: readonly NavigationSection[],
): string {
  const root = relative(dirname(page.url), '.');
  const toRoot = root === '' ? '' : `${root}/`;
  const outline = sections
    .filter(({ level }) => level === 2)
    .map(({ anchor, title: name }) => `<li><a href="#${anchor}">${escapeHtml(name)}</a></li>`);
  const item = (link: Rendered): string =>
    link.page.url === page.url
      ? `<li><a href="#" aria-current="page">${escapeHtml(title)}</a><ul>${outline.join('')}</ul></li>`
      : `<li><a href="${toRoot}${link.page.url}">${escapeHtml(link.title)}</a></li>`;
  const lists = navigation.map(
    ({ title: name, links }) => `<h2>${name}</h2><ul>${links.map(item).join('')}</ul>`,
  );
  const heading = title === 'Lifehook' ? title : `${escapeHtml(title)} · Lifehook`;
  return `<!doctype html>
<html lang="en" data-root="${toRoot}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${heading}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${toRoot}style.css">
<script src="${toRoot}search.js" defer></script>
</head>
<body>
<header>
<a class="name" href="${toRoot}index.html">Lifehook</a>
<a href="${toRoot}docs/index.html">Documentation</a>
<a class="to-navigation" href="#navigation">Contents</a>
<search><input id="search" type="search" placeholder="Search (press /)" aria-label="Search the documentation" autocomplete="off">
<div id="results" role="status" hidden></div></search>
</header>
<main>
${html}</main>
<nav id="navigation" aria-label="Documentation">${lists.join('\n')}</nav>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
