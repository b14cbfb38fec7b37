/**
 * Resolves the target of a link: a page, a picture, or a file that only the repository has. The heading in a link is
 * checked when all pages are rendered.
 */
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';

import { type Page, urlOf } from './pages.ts';

export interface Site {
  readonly root: string;
  readonly pages: ReadonlyMap<string, Page>;
  /** Address of the repository, without a slash at its end. */
  readonly repository: string;
}

export type Target =
  | { readonly kind: 'elsewhere'; readonly href: string }
  | { readonly kind: 'page'; readonly href: string; readonly page: Page; readonly anchor: string }
  | { readonly kind: 'picture'; readonly href: string; readonly path: string }
  | { readonly kind: 'dead'; readonly href: string };

export function targetOf(site: Site, from: Page, href: string): Target {
  if (/^[a-z]+:/.test(href)) return { kind: 'elsewhere', href };
  const [relative = '', anchor = ''] = href.split('#');
  const hash = anchor === '' ? '' : `#${anchor}`;
  if (relative === '') return { kind: 'page', href, page: from, anchor };
  const path = join(dirname(from.path), relative).replace(/\/$/, '');
  const file = site.pages.get(path);
  if (file !== undefined) {
    return { kind: 'page', href: `${urlOf(relative)}${hash}`, page: file, anchor };
  }
  const index = site.pages.get(join(path, 'README.md'));
  if (index !== undefined) {
    return { kind: 'page', href: `${join(relative, 'index.html')}${hash}`, page: index, anchor };
  }
  const target = fileTarget(site, path);
  if (target === null) return { kind: 'dead', href };
  return target === 'picture'
    ? { kind: 'picture', href, path }
    : { kind: 'elsewhere', href: `${target}${hash}` };
}

/** Address in the repository of a file that is not a page; null for a picture or a missing file. */
function fileTarget({ root, repository }: Site, path: string): string | null {
  const full = join(root, path);
  if (path.startsWith('..') || !existsSync(full)) return null;
  if (/\.(?:png|svg)$/.test(path)) return 'picture';
  return `${repository}/${statSync(full).isDirectory() ? 'tree' : 'blob'}/main/${path}`;
}
