/**
 * Builds the page of the timeline with inline script and style. Its content security policy permits only these two, by
 * hash: the page can run and load nothing else.
 */
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const WEB = fileURLToPath(new URL('../src/timeline/web/', import.meta.url));

/** The HTML of the whole page, ASCII only. */
export async function timelinePageHtml(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: { script: `${WEB}main.ts`, style: `${WEB}style.css` },
    outdir: WEB,
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['es2022', 'chrome120', 'firefox121', 'safari17'],
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
  });
  const textOf = (ending: string): string =>
    outputFiles.find(({ path }) => path.endsWith(ending))?.text.trim() ?? '';
  const script = textOf('.js');
  const style = textOf('.css');
  if (/[^\n -~]|<\/(script|style)/.test(script + style)) {
    throw new Error('the script or the style of the page would not stand in HTML as it is');
  }
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const template = await readFile(`${WEB}page.html`, 'utf8');
  return template
    .replace('<!--policy-->', `<meta http-equiv="Content-Security-Policy" content="${policy}" />`)
    .replace('<!--style-->', () => `<style>${style}</style>`)
    .replace('<!--script-->', () => `<script>${script}</script>`);
}

const hashOf = (text: string): string =>
  `sha256-${createHash('sha256').update(text).digest('base64')}`;
