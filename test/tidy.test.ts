/**
 * The project's own rules that a linter cannot check. Each rule returns its violations, so that a failure lists all of
 * them.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

import { ALLOWED_IMPORTS } from '../scripts/import-directions.ts';
import { projectFiles } from './project-files.ts';

const FILE_LINES_MAX = 300;

/** The modules of the local cluster that Lifehook may import. */
const CLUSTER = 'packages/local-cluster/';
const CLUSTER_ENTRY = `${CLUSTER}src/index.ts`;
const CLUSTER_TESTING = `${CLUSTER}src/testing.ts`;

/** The modules that may use the machine directly. */
const WORLDLY =
  /^(src\/(platform|cli)\/|src\/main\.ts$|src\/timeline\/web\/world\.ts$|shim\/|scripts\/|bench\/|test\/)/;

const BANNED_CALLS: readonly [RegExp, string][] = [
  [/\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(/, 'take the time from the injected Clock'],
  [/\b(setTimeout|setInterval|setImmediate)\(/, 'take timers from the injected Timers'],
  [/\bMath\.random\(/, 'randomness makes a failing seed unrepeatable'],
  [
    /\bprocess\.(env|exit|argv|cwd|kill|stdout|stderr)\b/,
    'only src/cli and src/main.ts know the process',
  ],
];

const WORLD_IMPORT = /from 'node:|import\('node:/;

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const everyFile = projectFiles();
const source: readonly SourceFile[] = everyFile
  .filter((path) => /\.(ts|tsx)$/.test(path) && !path.startsWith('test/fixtures/'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const product = source.filter(
  ({ path }) => /^(src|shim|packages\/[^/]+\/src)\//.test(path) && !path.endsWith('.test.ts'),
);

function importsOf({ path, text }: SourceFile): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((found) =>
    normalize(join(dirname(path), found[1] ?? '')),
  );
}

/** What a file may import of the local cluster. In the product, only the command line and its programs may. */
function clusterEntriesFor(file: SourceFile): readonly string[] {
  if (!product.includes(file)) return [CLUSTER_ENTRY, CLUSTER_TESTING];
  return /^(src\/cli|shim)\//.test(file.path) ? [CLUSTER_ENTRY] : [];
}

const moduleOf = (path: string): string | undefined =>
  /^(?:src|packages)\/([^/]+)\//.exec(path)?.[1];

/** Code without comments and quoted texts, line by line; expressions in template literals count as code. */
function codeLines(text: string): string[] {
  const blank = (found: string): string => found.replaceAll(/[^\n]/g, ' ');
  const blankTemplate = (found: string): string =>
    found
      .split(/(\$\{[^}]*\})/)
      .map((part) => (part.startsWith('${') ? part : blank(part)))
      .join('');
  return text
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, (found) =>
      found.startsWith('`') ? blankTemplate(found) : blank(found),
    )
    .split('\n');
}

function violationsOf(
  files: readonly SourceFile[],
  rule: (file: SourceFile) => string[],
): string[] {
  return files.flatMap((file) => rule(file).map((violation) => `${file.path}: ${violation}`));
}

/** Words that names must not use; words.md has the standard terms. `nobody` and HTTP 410 Gone are standard. */
const PRIVATE_WORDS: Readonly<Record<string, string>> = {
  everybody: 'all',
  gone: 'deleted (object), exited (process)',
  going: 'terminating',
  goes: 'continues',
  heard: 'received',
  somebody: 'user, client',
  tell: 'report, emit, notify, recordEvent',
  telling: 'reporting, emits',
  tells: 'reports',
  theirs: 'foreign, expected',
  told: 'reported',
};

/** Places where a private word is data: a key of a test's object, an enum value of the API, or a regular expression. */
const WORDS_AS_DATA: readonly string[] = [
  'src/cli/controller/secret-store.test.ts theirs',
  'src/cli/rollout/changed-paths.test.ts gone',
  'src/kube/kube-config.test.ts gone',
  'src/lifecycles/rollout/hookpod/build-hook-pod.test.ts gone',
  'src/lifecycles/rollout/runs/carry-out-stage.test.ts somebody',
  'src/timeline/sources/snapshot/hook-bars.ts gone',
  'src/controller/manager.test.ts told',
  'test/conformance/cases/delete.ts going',
  'test/conformance/rules/design.ts goes',
  'test/sim/controller/foreign-finalizers.ts going',
  'test/sim/rollout/story.ts going',
  'test/sim/rollout/story.ts somebody',
  'test/sim/rollout/story.ts told',
  'test/sim/story.ts somebody',
];

/** Private words in the names of one file. A name is split into words ("isGoing" has two). Texts in quotes are data. */
function privateWordsIn({ path, text }: SourceFile): string[] {
  const names = new Set(codeLines(text).flatMap((line) => line.match(/[A-Za-z_$][\w$]*/g) ?? []));
  return [...names]
    .filter((name) => !WORDS_AS_DATA.includes(`${path} ${name}`))
    .flatMap((name) =>
      name
        .split(/_|(?<=[a-z\d])(?=[A-Z])/)
        .map((word) => word.toLowerCase())
        .filter((word) => Object.hasOwn(PRIVATE_WORDS, word))
        .map((word) => `the name ${name} has the word "${word}"; write ${PRIVATE_WORDS[word]}`),
    );
}

describe('house rules', () => {
  it('keeps every source file within its length', () => {
    const long = violationsOf(source, ({ text }) => {
      const lines = text.split('\n').length - 1;
      return lines > FILE_LINES_MAX
        ? [`${lines} lines, at most ${FILE_LINES_MAX}; split it by idea`]
        : [];
    });
    expect(long).toEqual([]);
  });

  it('keeps the import direction between the rooms', () => {
    const wrong = violationsOf(product, (file) => {
      const module = moduleOf(file.path);
      const allowed = module === undefined ? undefined : ALLOWED_IMPORTS[module];
      if (allowed === undefined) return [];
      return importsOf(file)
        .filter((target) => {
          const targetModule = moduleOf(target);
          return (
            targetModule !== undefined && targetModule !== module && !allowed.includes(targetModule)
          );
        })
        .map(
          (target) => `imports ${target}; ${module} may import ${allowed.join(', ') || 'nothing'}`,
        );
    });
    expect(wrong).toEqual([]);
  });

  it('allows no import between directories that no file has, since the picture in ARCHITECTURE.md would be wrong', () => {
    const used = new Set(
      product.flatMap((file) =>
        importsOf(file).map((target) => `${moduleOf(file.path)} -> ${moduleOf(target)}`),
      ),
    );
    const allowed = Object.entries(ALLOWED_IMPORTS).flatMap(([module, targets]) =>
      targets.map((target) => `${module} -> ${target}`),
    );
    expect(allowed.filter((edge) => !used.has(edge))).toEqual([]);
  });

  it('enters the local cluster only through its entry, and tests through testing.ts too', () => {
    const outside = source.filter(({ path }) => !path.startsWith(CLUSTER));
    const wrong = violationsOf(outside, (file) => {
      const entries = clusterEntriesFor(file);
      return importsOf(file)
        .filter((target) => target.startsWith(CLUSTER) && !entries.includes(target))
        .map(
          (target) =>
            `imports ${target}; of that package it may import ${entries.join(', ') || 'nothing'}`,
        );
    });
    expect(wrong).toEqual([]);
  });

  it('keeps lifecycles apart from each other', () => {
    const lifecycleOf = (path: string): string | undefined =>
      /^src\/lifecycles\/([^/]+)\//.exec(path)?.[1];
    const wrong = violationsOf(product, (file) => {
      const own = lifecycleOf(file.path);
      if (own === undefined) return [];
      return importsOf(file)
        .filter((target) => ![undefined, own].includes(lifecycleOf(target)))
        .map((target) => `imports ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it('touches the world only behind the injected interfaces', () => {
    const inner = product.filter(({ path }) => !WORLDLY.test(path));
    const calls = violationsOf(inner, ({ text }) =>
      codeLines(text).flatMap((line, index) =>
        BANNED_CALLS.filter(([call]) => call.test(line)).map(
          ([, why]) => `line ${index + 1}: ${line.trim()} (${why})`,
        ),
      ),
    );
    const imports = violationsOf(inner, ({ text }) =>
      WORLD_IMPORT.test(text) ? ['imports a node module; they stand behind src/platform'] : [],
    );
    const wrong = [...calls, ...imports];
    expect(wrong).toEqual([]);
  });

  it('takes random numbers from the kernel: a client could predict the tokens of Math.random', () => {
    const usesIt = (file: SourceFile): boolean => file.text.includes('Math.random');
    const inSource = product.filter(({ path }) => path.startsWith('src/'));
    expect(inSource.filter(usesIt).map(({ path }) => path)).toEqual([]);
  });

  it('names files by what they hold', () => {
    const wrong = everyFile.filter((path) =>
      /(^|\/)(utils?|helpers?|common|misc|services?)(\/|\.ts$)|^(src|shim|packages)\/.*[A-Z].*\.ts$/.test(
        path,
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('has no unfinished marks, focused tests, replaced modules, or tests that are skipped without a reason in test/needs.ts', () => {
    // In brackets, so that this line itself does not match. The test files of a process share their modules.
    const marks =
      /TOD[O]|FIXM[E]|XX[X]|\b(it|test|describe)\.(ski[p]|onl[y]|tod[o]|skipI[f]|runI[f])\b|\bvi\.(do)?[mM]oc[k]\(/;
    const wrong = violationsOf(source, ({ text }) =>
      text
        .split('\n')
        .flatMap((line, index) => (marks.test(line) ? [`line ${index + 1}: ${line.trim()}`] : [])),
    );
    expect(wrong).toEqual([]);
  });

  it('lists in docs/errors.md every error code that the product uses, and no other', () => {
    const code = /\bLH[A-Z]\d{3}\b/g;
    const used = new Set(product.flatMap(({ text }) => text.match(code) ?? []));
    const listed = new Set(readFileSync('docs/errors.md', 'utf8').match(code) ?? []);
    expect([...used].filter((one) => !listed.has(one)).toSorted()).toEqual([]);
    expect([...listed].filter((one) => !used.has(one)).toSorted()).toEqual([]);
  });

  it('loads zod, yaml and commander only where they are needed, since each start pays for them', () => {
    const allowed: Readonly<Record<string, RegExp>> = {
      zod: /^src\/model\/|schema/,
      commander: /^src\/cli\//,
      yaml: /^src\/(cli|model)\//,
      re2js: /\/re2\.ts$/,
    };
    const wrong = violationsOf(product, ({ path, text }) =>
      Object.entries(allowed)
        .filter(([name, where]) => loads(text, name) && !where.test(path))
        .map(([name]) => `imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  /** Type-only imports cost nothing at start-up. */
  function loads(text: string, name: string): boolean {
    return new RegExp(`^(?!import type ).*from '${name}'`, 'm').test(text);
  }

  it('has a checksum for every package of the lock file, and no address to download from', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { integrity?: string; resolved?: string }>;
    };
    const [root, ...locked] = Object.entries(packages);
    expect([root?.[0], locked.length > 100]).toEqual(['', true]);
    const wrong = locked.filter(
      ([, { integrity = '', resolved }]) =>
        !/^sha512-[\w+/]{86}==$/u.test(integrity) || resolved !== undefined,
    );
    expect(wrong.map(([path]) => path)).toEqual([]);
  });

  it('locks the packages of other platforms too, without which npm ci refuses the lock file', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { version?: string; optionalDependencies?: Record<string, string> }>;
    };
    const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    );
    const absent = wanted.filter((name) => packages[`node_modules/${name}`]?.version === undefined);
    expect(absent).toEqual([]);
  });

  it('uses the words of Kubernetes, POSIX and OCI in names', () => {
    const named = source.filter(({ path }) => path !== 'test/tidy.test.ts');
    expect(violationsOf(named, privateWordsIn)).toEqual([]);
  });
});
