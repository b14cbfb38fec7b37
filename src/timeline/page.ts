/**
 * The built page of the timeline: one HTML file with its script, style and icon. The server sends this file. An
 * incident report is the same file with the spans in it, and opens without a server.
 */
import type { BarPage } from './bar.ts';

/** Path in the build output, next to the program. */
export const PAGE_FILE = 'timeline.html';

/** Placeholder in the page for the spans of an export. */
export const NO_BARS = '<script type="application/json" id="timeline"></script>';

export interface TimelinePage {
  /** The page in ASCII characters only. */
  readonly html: string;
  /**
   * The header `Content-Security-Policy` of the page. It names the script by its hash, so that no other script runs.
   */
  readonly csp: string;
}

/** Reads the page from `html`, the output of the build. Throws if the text is not that output. */
export function timelinePage(html: string): TimelinePage {
  const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1];
  if (policy === undefined || !html.includes(NO_BARS)) {
    throw new Error(`${PAGE_FILE} is not the page of a timeline: build the program again`);
  }
  // frame-ancestors is only in the header, since it has no effect in a meta element of the page.
  return { html, csp: `${policy}; frame-ancestors 'none'` };
}

/** The page with these spans in it, which sends no requests. Write it as UTF-8. */
export function exportedPage({ html }: Pick<TimelinePage, 'html'>, bars: BarPage): string {
  // Every "<" is escaped, so that the output of a hook cannot close the script element.
  const data = JSON.stringify(bars).replaceAll('<', String.raw`\u003c`);
  return html.replace(NO_BARS, () => NO_BARS.replace('><', () => `>${data}<`));
}
