/**
 * The page of the timeline as it was built: one file of HTML with its script, its style and its picture in it. The same
 * file is served live and, with the bars in it, is the incident report that opens without a server.
 */
import type { Files } from '../platform/platform.ts';
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

/** `folder`: of the program. Rejects where the page is not in it: that program was not built whole. */
export async function readTimelinePage(
  files: Pick<Files, 'read'>,
  folder: string,
): Promise<TimelinePage> {
  const path = `${folder}/${PAGE_FILE}`;
  return timelinePage(await files.read(path), path);
}

/** `html`: as the build made it; `path`: where it was read, for the message of the error that it throws. */
export function timelinePage(html: string, path: string): TimelinePage {
  const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1];
  if (policy === undefined || !html.includes(NO_BARS)) {
    throw new Error(`${path} is not the page of a timeline: build the program again`);
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
