/**
 * The built page of the timeline: one HTML file with its script, style and icon. The same file is served live and, with
 * the spans in it, is the incident report that opens without a server.
 */
import type { BarPage } from './bar.ts';

/** Path in the build output, next to the program. */
export const PAGE_FILE = 'timeline.html';

/** Placeholder in the page for the spans of an export. */
export const NO_BARS = '<script type="application/json" id="timeline"></script>';

export interface TimelinePage {
  /** ASCII only. */
  readonly html: string;
  /** The header `Content-Security-Policy` of the page: by hash, so that only this script may run. */
  readonly csp: string;
}

/** `html`: the output of the build. Throws for another text. */
export function timelinePage(html: string): TimelinePage {
  const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1];
  if (policy === undefined || !html.includes(NO_BARS)) {
    throw new Error(`${PAGE_FILE} is not the page of a timeline: build the program again`);
  }
  // A page cannot set frame-ancestors in a meta element.
  return { html, csp: `${policy}; frame-ancestors 'none'` };
}

/** The page with these spans in it: it sends no requests. Write it as UTF-8. */
export function exportedPage({ html }: Pick<TimelinePage, 'html'>, bars: BarPage): string {
  // The text has no "<", so that no output of a hook can close the script element.
  const data = JSON.stringify(bars).replaceAll('<', String.raw`\u003c`);
  return html.replace(NO_BARS, () => NO_BARS.replace('><', () => `>${data}<`));
}
