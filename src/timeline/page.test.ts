import { describe, expect, test } from 'vitest';

import { sampleBar } from '../../test/fixtures/timeline/sample-bar.ts';
import type { BarPage } from './bar.ts';
import { exportedPage, NO_BARS, timelinePage } from './page.ts';

const POLICY = "default-src 'none'; script-src 'sha256-x'";
const HTML = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">${NO_BARS}<script>run()</script>`;

const stdout = '</script><script>alert(1)</script><!-- $& $1';
const bar = sampleBar('a', { outcome: 'Failed', stdout });
const bars: BarPage = { bars: [bar], seq: 7, truncated: false, now: 3, sources: [] };

describe('the page of the timeline', () => {
  test('is served with the policy that it was built with, and may not be framed', () => {
    expect(timelinePage(HTML)).toEqual({
      html: HTML,
      csp: `${POLICY}; frame-ancestors 'none'`,
    });
  });

  test('is refused when the file is no timeline page', () => {
    expect(() => timelinePage('<p>')).toThrow('timeline.html is not the page of a timeline');
  });

  test('embeds the exported spans safely, whatever a hook has printed', () => {
    const html = exportedPage({ html: HTML }, bars);
    const held = /id="timeline">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
    expect(JSON.parse(held)).toEqual(bars);
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html.endsWith('<script>run()</script>')).toBe(true);
  });
});
