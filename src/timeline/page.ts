/**
 * The page of the timeline as it was built: one file of HTML with its script, its style and its picture in it. The same
 * file is served live and, with the bars in it, is the incident report that opens without a server.
 */
import type { BarPage } from './bar.ts';

/** Where the build puts it, beside the program. */
export const PAGE_FILE = 'timeline.html';

/** What stands in the page for the bars of an export. */
export const NO_BARS = '<script type="application/json" id="timeline"></script>';

export interface TimelinePage {
  /** ASCII only. */
  readonly html: string;
  /** The header `Content-Security-Policy` to send with it: by hash, so it lets in this script and no other. */
  readonly csp: string;
}

/** `html`: as the build made it. Throws where it is another text. */
export function timelinePage(html: string): TimelinePage {
  const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1];
  if (policy === undefined || !html.includes(NO_BARS)) {
    throw new Error(`${PAGE_FILE} is not the page of a timeline: build the program again`);
  }
  // A page cannot ask this of itself.
  return { html, csp: `${policy}; frame-ancestors 'none'` };
}

/** The page with these bars in it: it asks nobody for more. To be written as UTF-8. */
export function exportedPage({ html }: Pick<TimelinePage, 'html'>, bars: BarPage): string {
  // No "<" is in the text, so that no output of a hook can end the script that holds it.
  const data = JSON.stringify(bars).replaceAll('<', String.raw`\u003c`);
  return html.replace(NO_BARS, () => NO_BARS.replace('><', () => `>${data}<`));
}
