/**
 * The Markdown files that become pages of the site. A page is at the path of its file, so that relative paths of
 * pictures stay valid. A directory of documents without a README.md gets a page that lists it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path/posix';

export interface Page {
  /** Path of the file, relative to the root of the repository. */
  readonly path: string;
  /** Path of the page, relative to the root of the site. */
  readonly url: string;
  readonly markdown: string;
}

const ROOT_PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CODE_OF_CONDUCT.md',
];

/** Reads all pages, keyed by path and in the order of the paths. */
export function readPages(root: string): ReadonlyMap<string, Page> {
  const below = (directory: string): string[] =>
    readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .map((path) => join(directory, path))
      .toSorted();
  const examples = below('examples').filter((path) => basename(path) === 'README.md');
  const paths = [...ROOT_PAGES, ...below('docs'), ...examples].filter((path) =>
    existsSync(join(root, path)),
  );
  const files = paths.map((path) => pageOf(path, readFileSync(join(root, path), 'utf8')));
  return new Map([...files, ...listsOf(files)].map((page) => [page.path, page]));
}

export const urlOf = (path: string): string =>
  path.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html');

function pageOf(path: string, markdown: string): Page {
  return { path, url: urlOf(path), markdown };
}

function listsOf(files: readonly Page[]): Page[] {
  const inDocs = files.filter(({ path }) => path.startsWith('docs/'));
  const directories = new Set(inDocs.map(({ path }) => dirname(path)));
  return [...directories]
    .map((directory) => join(directory, 'README.md'))
    .filter((path) => !inDocs.some((page) => page.path === path))
    .map((path) => {
      const directory = dirname(path);
      const name = basename(directory);
      const links = inDocs
        .filter((page) => dirname(page.path) === directory)
        .map((page) => `- [${titleOf(page)}](${basename(page.path)})`);
      return pageOf(
        path,
        `# ${name.charAt(0).toUpperCase()}${name.slice(1)}\n\n${links.join('\n')}\n`,
      );
    });
}

function titleOf({ path, markdown }: Page): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? path;
}
