/** Renders one page: its HTML, its headings with GitHub's anchors, the text of its sections, and its link targets. */
import GithubSlugger from 'github-slugger';
import MarkdownIt, { type Token } from 'markdown-it';

import { type Site, type Target, targetOf } from './links.ts';
import type { Page } from './pages.ts';

export interface Section {
  readonly level: number;
  readonly title: string;
  readonly anchor: string;
  readonly text: string;
}

export interface Rendered {
  readonly page: Page;
  readonly title: string;
  readonly html: string;
  /** The sections in the order of the page. Each starts with a heading. */
  readonly sections: readonly Section[];
  readonly targets: readonly Target[];
}

const markdownIt = new MarkdownIt({ html: true });

export function renderPage(site: Site, page: Page): Rendered {
  const tokens = markdownIt.parse(page.markdown, {});
  const sections = sectionsOf(tokens);
  const targets: Target[] = [];
  const follow = (href: string): string => {
    const target = targetOf(site, page, href);
    targets.push(target);
    return target.href;
  };
  for (const token of tokens.flatMap((one) => [one, ...(one.children ?? [])])) {
    followLinks(token, follow);
    // These blocks scroll, so the keyboard must be able to focus them.
    if (token.type === 'fence' || token.type === 'table_open') token.attrSet('tabindex', '0');
  }
  addAnchors(tokens, sections);
  const html = markdownIt.renderer.render(tokens, markdownIt.options, {});
  return { page, title: sections[0]?.title ?? page.path, html, sections, targets };
}

/** The plain text of a line. */
export function textOf(token: Token): string {
  const parts = (token.children ?? []).map(({ type, content }) =>
    type === 'softbreak' ? ' ' : /^(?:text|code_inline)$/.test(type) ? content : '',
  );
  return parts.join('');
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const slugger = new GithubSlugger();
  const starts = tokens.flatMap(({ type }, index) => (type === 'heading_open' ? [index] : []));
  return starts.map((start, index) => {
    const heading = tokens[start + 1];
    const title = heading === undefined ? '' : textOf(heading);
    const content = tokens.slice(start + 2, starts[index + 1]);
    const text = content.map((token) => (token.type === 'inline' ? textOf(token) : token.content));
    return {
      level: Number(tokens[start]?.tag.slice(1)),
      title,
      anchor: slugger.slug(title),
      text: text.filter((part) => part !== '').join(' '),
    };
  });
}

/** Follows links in Markdown, and in HTML, which the README uses for its pictures. */
function followLinks(token: Token, follow: (href: string) => string): void {
  for (const name of ['href', 'src']) {
    const value = token.attrGet(name);
    if (value !== null) token.attrSet(name, follow(String(value)));
  }
  if (token.type.startsWith('html_')) {
    token.content = token.content.replaceAll(
      /\b(href|src|srcset)="([^"]*)"/g,
      (_, name: string, value: string) => `${name}="${follow(value)}"`,
    );
  }
}

function addAnchors(tokens: readonly Token[], sections: readonly Section[]): void {
  const headings = tokens.filter(({ type }) => type === 'heading_open');
  for (const [index, heading] of headings.entries()) {
    heading.attrSet('id', sections[index]?.anchor ?? '');
  }
}
