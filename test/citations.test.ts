/**
 * The requirement codes: each cited code has a heading in docs/requirements. Each heading is cited, and names proofs that
 * cite it. docs/requirements/README.md says how to add a code.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/** One requirement, with the files and the proofs that it names. A proof is a test file or a command of a simulation. */
interface Entry {
  readonly code: string;
  readonly sources: readonly string[];
  readonly proofs: readonly string[];
}

const entries: readonly Entry[] = pages.flatMap(({ lines }) => {
  let code = '';
  return lines.flatMap((line) => {
    code = headingOf(line) ?? code;
    if (!line.startsWith('Source: ')) return [];
    return [{ code, sources: sourcesIn(line), proofs: proofsIn(line) }];
  });
});

function sourcesIn(line: string): string[] {
  const source = line.slice(0, line.indexOf('. Proven by '));
  const links = [...source.matchAll(/\]\((.+?)\)/g)].map(([, link = '']) => join(PAGES, link));
  return [...links, ...(source.match(/(?<=`)[^`]+\.ts(?=`)/g) ?? [])];
}

function proofsIn(line: string): string[] {
  const proofs = /^Source: .+\. Proven by (.+)\.$/.exec(line)?.[1];
  return proofs?.match(/`[^`]+`/g)?.map((path) => path.slice(1, -1)) ?? [];
}

const codesIn = (text: string): string[] => text.match(CODE) ?? [];

const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '');

const texts = new Map(files.map(({ path, lines }) => [path, lines.join('\n')]));

/** The codes that a proof cites. */
function citedBy(proof: string): ReadonlySet<string> {
  const simulated = /--lifecycle (\w+)$/.exec(proof)?.[1];
  if (simulated !== undefined) return new Set(codesOfSimulation(simulated));
  const cases = importedCases(proof).map((path) => withoutComments(texts.get(path) ?? ''));
  return new Set([texts.get(proof) ?? '', ...cases].flatMap(codesIn));
}

/** The codes that the judges of a simulation cite. The simulation of the guard is next to that of the snapshots. */
function codesOfSimulation(name: string): string[] {
  const folder = `test/sim/${name === 'guard' ? 'snapshot' : name}/`;
  return [...texts].flatMap(([path, text]) =>
    path.startsWith(folder) && !path.endsWith('.test.ts') ? codesIn(text) : [],
  );
}

/** The files in `test` that a test file imports, directly or not: they define its cases, and so may name its codes. */
function importedCases(proof: string): readonly string[] {
  const paths: string[] = [proof];
  for (const path of paths) {
    const imports = (texts.get(path) ?? '').matchAll(/ from '(\.[^']+)'/g);
    const targets = [...imports].map(([, target = '']) => join(dirname(path), target));
    paths.push(...targets.filter((each) => each.startsWith('test/') && !paths.includes(each)));
  }
  return paths.slice(1);
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
      const paths = proofsIn(line);
      if (line.startsWith('Source: ') && paths.length === 0) return [line];
      return paths.filter((path) => !isProof(path));
    });
    expect(wrong).toEqual([]);
    expect(entries.map(({ code }) => code)).toEqual(headings);
  });

  it('has no entry that no test and no simulation cites', () => {
    const tests = [...texts].filter(([path]) => /^(.*\/)?test\/.*\.ts$|\.test\.ts$/.test(path));
    const cited = new Set(tests.flatMap(([, text]) => codesIn(text)));
    const wrong = entries.flatMap(({ code }) =>
      cited.has(code) ? [] : [`${code}: no test cites it; cite it in the test that proves it`],
    );
    expect(wrong).toEqual([]);
  });

  it('cites the code of an entry in each source file that the entry names', () => {
    const wrong = entries.flatMap(({ code, sources }) =>
      sources
        .filter((path) => !codesIn(texts.get(path) ?? '').includes(code))
        .map((path) => `${code}: ${path} does not cite it; cite it there, or name its source`),
    );
    expect(wrong).toEqual([]);
  });

  it('cites the code of an entry in each proof that the entry names', () => {
    const named = new Set(entries.flatMap(({ proofs }) => proofs));
    const cited = new Map([...named].map((proof) => [proof, citedBy(proof)]));
    const wrong = entries.flatMap(({ code, proofs }) =>
      proofs
        .filter((proof) => cited.get(proof)?.has(code) !== true)
        .map((proof) => `${code}: ${proof} does not cite it; cite it there, or name its proof`),
    );
    expect(wrong).toEqual([]);
  });
});
