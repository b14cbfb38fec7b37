/** The README must stay short, and its pictures and links must exist. test/e2e/documents.test.ts runs its commands. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';

import { ALLOWED_IMPORTS, withImportPicture } from '../scripts/import-directions.ts';
import { projectFiles } from './project-files.ts';

const LINES_MAX = 150;
const PICTURE_BYTES_MAX = 150_000;

const readme = readFileSync('README.md', 'utf8');
/** Paths of pages and pictures in this repository. */
const paths = [...readme.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)|src(?:set)?="([^":]+)"/g)].map(
  ([, link, picture]) => link ?? picture ?? '',
);
const pictures = paths.filter((path) => /\.(?:png|svg)$/.test(path));

it('the README has at most 150 lines', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(LINES_MAX);
});

it('the README links only to files that exist', () => {
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

it('the README has small pictures of the timeline, light and dark, and one of the architecture', () => {
  const names = ['timeline-dark.png', 'timeline-light.png', 'architecture.svg'];
  expect(pictures).toEqual(names.map((name) => `docs/pictures/${name}`));
  const large = pictures.filter((path) => statSync(path).size > PICTURE_BYTES_MAX);
  expect(large).toEqual([]);
});

it('the picture of the architecture follows the color scheme, and draws its own background', () => {
  const svg = readFileSync('docs/pictures/architecture.svg', 'utf8');
  expect(svg).toContain('@media (prefers-color-scheme: dark)');
  expect(svg).toContain('<rect class="page"');
});

it('ARCHITECTURE.md names only files and directories that exist', () => {
  const text = readFileSync('ARCHITECTURE.md', 'utf8');
  const files = projectFiles();
  const places = new Set(
    text.match(/(?<=`)[\w.-]+(?:\/[\w.-]+)+(?=`)|(?<=`)[\w-]+\.(?:ts|md)(?=`)/g),
  );
  expect(places.size).toBeGreaterThan(100);
  const exists = (place: string): boolean =>
    existsSync(place) || files.some((path) => path.endsWith(`/${place}`));
  expect([...places].filter((place) => !exists(place))).toEqual([]);
});

it('ARCHITECTURE.md has the picture of the imports that the house rules allow', () => {
  const text = readFileSync('ARCHITECTURE.md', 'utf8');
  expect(text, 'run npx tsx scripts/generate-architecture.ts').toBe(withImportPicture(text));
  const more = { ...ALLOWED_IMPORTS, kube: ['platform', 'model', 'engine'] };
  expect(withImportPicture(text, more)).not.toBe(text);
  expect(() => withImportPicture(text, { kube: ['engine'], engine: [] })).toThrow(
    'kube may import engine: list it later',
  );
});
