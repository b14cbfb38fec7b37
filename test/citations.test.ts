/**
 * The requirement codes: each cited code has a heading in docs/requirements. Each heading is cited and names an
 * existing proof. docs/requirements/README.md says how to add a code.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { projectFiles } from './project-files.ts';

const PAGES = 'docs/requirements';

/** The page that defines the codes of each namespace. */
const NAMESPACES: Readonly<Record<string, string>> = {
  CLUS: 'cluster',
  CTRL: 'controller',
  ENG: 'engine',
  KUBE: 'controller',
  OCI: 'container',
  PIPE: 'pipeline',
  POD: 'pod',
  ROLL: 'rollout',
  SNAP: 'snapshot',
  TIME: 'timeline',
};

const CODE = new RegExp(`\\b(?:${Object.keys(NAMESPACES).join('|')})-[A-Z]+\\d+[a-c]?\\b`, 'g');

/**
 * Matches a code without its namespace, such as "G1" or "DH-16", or a case by number. V8, RE2 and PS4 are not codes.
 */
const BARE =
  /(?<![\w.#/"'%=-])(?!V8|RE2|PS4)(?:[A-Z]{1,2}\d{1,2}[a-c]?(?![\w%=-])|(?:DH|SL)-\d|[Cc]ases? \d)/g;

/** Matches a bare code in a row of a table of tests: before a colon, or in brackets at the end. */
const BARE_IN_ROW =
  /(?<=['"`])[A-Z]{1,2}-?\d{1,2}[a-c]?(?=(?:, [A-Z]{1,2}-?\d{1,2}[a-c]?)*: )|(?<=\((?:[\w, -]+ )?)[A-Z]{1,2}-?\d{1,2}[a-c]?(?=\)['"`])|['"`(][Cc]ases? \d+/g;

interface Text {
  readonly path: string;
  readonly lines: readonly string[];
}

const files: readonly Text[] = projectFiles()
  .filter((path) => /\.(ts|md|json|mjs|c|sh|yaml)$/.test(path) && !path.startsWith(`${PAGES}/`))
  .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n') }));

const pages: readonly Text[] = readdirSync(PAGES)
  .filter((name) => name !== 'README.md')
  .map((name) => join(PAGES, name))
  .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n') }));

const headingOf = (line: string): string | undefined => /^### (\S+)$/.exec(line)?.[1];
const headings = pages.flatMap(({ lines }) => lines.flatMap((line) => headingOf(line) ?? []));

/** Places that violate a rule: "path:line text". */
function found(texts: readonly Text[], rule: (line: string, path: string) => string[]): string[] {
  return texts.flatMap(({ path, lines }) =>
    lines.flatMap((line, at) => rule(line, path).map((what) => `${path}:${at + 1} ${what}`)),
  );
}

/** The part of a line that people read: a comment, or the title of a test. */
function prose(line: string): string {
  const comment = /^\s*(?:\*|\/\*\*?)(?: |$)(.*)|(?:^|\s)\/\/ (.*)/.exec(line);
  const title = /\b(?:it|test|describe)(?:\.each\b.*)?\(\s*(['"`].*)/.exec(line)?.[1];
  return comment?.[1] ?? comment?.[2] ?? title?.replaceAll(/['"`]/g, ' ') ?? '';
}

/**
 * Whether the text names a proof: a test file that exists, or the simulation of a lifecycle. A document or a list
 * proves nothing.
 */
function isProof(text: string): boolean {
  const simulated = /^npm run sim -- --lifecycle (\w+)$/.exec(text)?.[1];
  if (simulated !== undefined) return existsSync(`test/sim/${simulated}`);
  return text.endsWith('.test.ts') && existsSync(text);
}

describe('the codes of docs/requirements', () => {
  it('resolves every citation to a heading', () => {
    const known = new Set(headings);
    const cited = found([...files, ...pages], (line) => line.match(CODE) ?? []);
    expect(cited.length).toBeGreaterThan(1_000);
    expect(cited.filter((one) => !known.has(one.slice(one.indexOf(' ') + 1)))).toEqual([]);
  });

  it('has no heading that nothing cites, none twice and none on the page of another namespace', () => {
    const cited = new Set(files.flatMap(({ lines }) => lines.join('\n').match(CODE) ?? []));
    expect(headings.filter((code) => !cited.has(code))).toEqual([]);
    expect(headings.filter((code, at) => headings.indexOf(code) !== at)).toEqual([]);
    const misplaced = found(pages, (line, path) => {
      const code = headingOf(line);
      if (code === undefined) return [];
      const page = NAMESPACES[code.split('-')[0] ?? ''] ?? '';
      return path === join(PAGES, `${page}.md`) && code.replace(CODE, '') === '' ? [] : [code];
    });
    expect(misplaced).toEqual([]);
  });

  it('has no code without its namespace in a comment or in the title of a test', () => {
    const own = files.filter(({ path }) => /\.(ts|md)$/.test(path));
    const isTemplate = (code: string, path: string): boolean =>
      /^T[12]$/.test(code) && /rollout|deployment|ARCHITECTURE/.test(path);
    const bare = found(own, (line, path) =>
      ((path.endsWith('.md') ? line : prose(line)).match(BARE) ?? []).filter(
        (code) => !isTemplate(code, path),
      ),
    );
    expect(bare).toEqual([]);
    const tests = own.filter(({ path }) => path.startsWith('test/') || path.endsWith('.test.ts'));
    expect(found(tests, (line) => line.match(BARE_IN_ROW) ?? [])).toEqual([]);
  });

  it('has a namespace in the name of every invariant that a simulation judges', () => {
    const simulations = files.filter(({ path }) => /^test\/sim\/.*\.(ts|json)$/.test(path));
    expect(
      found(simulations, (line) => line.match(/(?<=['"])[A-Z]\d{1,2}(?=['"])/g) ?? []),
    ).toEqual([]);
  });

  it('names in every entry a source, and proofs that are tests or simulations', () => {
    const wrong = found(pages, (line) => {
      const proofs = /^Source: .+\. Proven by (.+)\.$/.exec(line)?.[1];
      const paths = proofs?.match(/`[^`]+`/g)?.map((path) => path.slice(1, -1)) ?? [];
      if (line.startsWith('Source: ') && paths.length === 0) return [line];
      return paths.filter((path) => !isProof(path));
    });
    expect(wrong).toEqual([]);
    const sources = found(pages, (line) => (line.startsWith('Source: ') ? ['source'] : []));
    expect(sources.length).toBe(headings.length);
  });
});
