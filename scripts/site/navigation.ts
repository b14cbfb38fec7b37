/** The navigation of the site: the sections of docs/README.md, each with the pages that it links to. */
import type { Rendered } from './render.ts';

export interface NavigationSection {
  readonly title: string;
  readonly links: readonly Rendered[];
}

/** The sections of the navigation. A page is listed in the first section that links to it. */
export function navigationOf(index: Rendered, rendered: readonly Rendered[]): NavigationSection[] {
  const known = new Map(rendered.map((one) => [one.page.url, one]));
  const base = `site:///${index.page.url}`;
  const parts = index.html.split(/<h2 [^>]*>(.*?)<\/h2>/s).slice(1);
  const sections: NavigationSection[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const hrefs = (parts[at + 1] ?? '').matchAll(/<a href="([^"]+)"/g);
    const links: Rendered[] = [];
    for (const [, href = ''] of hrefs) {
      const { pathname } = new URL(href, base);
      const page = known.get(pathname.slice(1));
      known.delete(pathname.slice(1));
      if (page !== undefined) links.push(page);
    }
    sections.push({ title: parts[at] ?? '', links });
  }
  return sections;
}
