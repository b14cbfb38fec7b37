/**
 * Builds docs/reference/library.md, the API report: every type that a program gets by `import … from 'lifehook'`,
 * without comments. The compiler emits the declarations. Those that the library's entry does not reach are left out.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

import { LIBRARY_ENTRY, withDeclarations } from './build-library.ts';

interface Declarations {
  /** The text of each declaration by its name, without `export` and `declare`. */
  readonly own: ReadonlyMap<string, string>;
  readonly ownExports: readonly string[];
  /** The module of each imported name. */
  readonly imported: ReadonlyMap<string, string>;
  /** The module of each re-exported name. */
  readonly passedOn: ReadonlyMap<string, string>;
  /** Modules of `export *`. */
  readonly passedOnWhole: readonly string[];
}

type ReadModule = (path: string) => Promise<Declarations>;

const STATEMENT = /^(?:import|export|interface|type|declare|class)\b/;
const OWN =
  /^(?:export )?(?:declare )?((?:interface|type|(?:abstract )?class|function|const) (\w+))/;
const FROM = /^(import|export) (?:type )?(?:\{([^}]*)\}|\*) from '([^']+)';/;
/** Matches an identifier that is not in quotes, and is not the name of a field or parameter. */
const REFERENCE = /'[^'\n]*'|"[^"\n]*"|(?<![.\w])([A-Za-z_$][\w$]*)(?![\w$]|\??:)/g;

export async function libraryPage(): Promise<string> {
  const { exported, needed } = await withDeclarations(['--removeComments'], (directory) =>
    reachable(async (path) =>
      declarationsIn(path, await readFile(join(directory, path.replace(/\.ts$/, '.d.ts')), 'utf8')),
    ),
  );
  return `# The types of the library

<!-- Generated of src/library/lifehook.ts: npx tsx scripts/generate-reference.ts -->

Everything that \`import { … } from 'lifehook'\` brings, as the compiler sees it. [library.md](../library.md) explains it.
The types after the exported ones have no name outside the package; they are parts of the exported ones.

\`\`\`ts
${exported.map(asExport).join('\n')}

${needed.map(asDeclared).join('\n')}
\`\`\`
`;
}

/** The exported declarations of the entry, and the declarations that they use; each sorted by name. */
async function reachable(
  read: ReadModule,
): Promise<{ exported: readonly string[]; needed: readonly string[] }> {
  const places = new Map<string, string>();
  const texts = new Map<string, string>();
  const add = async (path: string, name: string): Promise<void> => {
    const place = await declaredIn(read, path, name);
    const known = places.get(name);
    if (place === null || place === known) return;
    if (known !== undefined) {
      throw new Error(`the library has two types ${name}: in ${known} and ${place}; rename one`);
    }
    places.set(name, place);
    const text = (await read(place)).own.get(name) ?? '';
    texts.set(name, text);
    for (const [, reference] of text.matchAll(REFERENCE)) {
      if (reference !== undefined) await add(place, reference);
    }
  };
  const exports = new Set(await exportedNames(read, LIBRARY_ENTRY));
  for (const name of exports) await add(LIBRARY_ENTRY, name);
  const all = [...texts].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return {
    exported: all.filter(([name]) => exports.has(name)).map(([, text]) => text),
    needed: all.filter(([name]) => !exports.has(name)).map(([, text]) => text),
  };
}

async function exportedNames(read: ReadModule, path: string): Promise<string[]> {
  const { ownExports, passedOn, passedOnWhole } = await read(path);
  const whole = await Promise.all(passedOnWhole.map((module) => exportedNames(read, module)));
  return [...ownExports, ...passedOn.keys(), ...whole.flat()];
}

/** The module that declares `name` as used in this one; null for names of the language and of parameters. */
async function declaredIn(read: ReadModule, path: string, name: string): Promise<string | null> {
  const { own, imported, passedOn, passedOnWhole } = await read(path);
  if (own.has(name)) return path;
  const next = imported.get(name) ?? passedOn.get(name);
  if (next !== undefined) return declaredIn(read, next, name);
  for (const module of passedOnWhole) {
    const found = await declaredIn(read, module, name);
    if (found !== null) return found;
  }
  return null;
}

function declarationsIn(path: string, text: string): Declarations {
  const statements = statementsIn(text);
  const links = statements
    .map((statement) => FROM.exec(statement))
    .filter((found) => found !== null);
  const own = statements.filter((statement) => !FROM.test(statement) && statement !== 'export {};');
  const moduleOf = (from = ''): string => normalize(join(dirname(path), from));
  const named = (how: string): [string, string][] =>
    links
      .filter((link) => link[1] === how)
      .flatMap(([, , names = '', from]) => namesIn(names).map((name) => [name, moduleOf(from)]));
  return {
    own: new Map(own.map((statement) => ownDeclaration(path, statement))),
    ownExports: own
      .filter((statement) => statement.startsWith('export '))
      .map((statement) => ownDeclaration(path, statement)[0]),
    imported: new Map(named('import')),
    passedOn: new Map(named('export')),
    passedOnWhole: links
      .filter(([, , names]) => names === undefined)
      .map(([, , , from]) => moduleOf(from)),
  };
}

/** Name and text, the latter without `export` and `declare`. */
function ownDeclaration(path: string, statement: string): [string, string] {
  const [, declaration, name] = OWN.exec(statement) ?? [];
  if (declaration === undefined || name === undefined) {
    throw new Error(`${path}: the API report cannot read "${statement}"`);
  }
  return [name, statement.slice(statement.indexOf(declaration))];
}

function statementsIn(text: string): string[] {
  const statements: string[][] = [];
  for (const line of text.trimEnd().split('\n')) {
    if (STATEMENT.test(line)) statements.push([]);
    statements.at(-1)?.push(line);
  }
  return statements.map((lines) => lines.join('\n'));
}

function namesIn(list: string): string[] {
  const names = list.split(',').map((one) => one.trim().replace(/^type /, ''));
  return names.filter((name) => {
    if (name.includes(' as ')) throw new Error(`the API report cannot read "${name}"`);
    return name !== '';
  });
}

const asExport = (text: string): string => `export ${asDeclared(text)}`;
const asDeclared = (text: string): string =>
  /^(interface|type) /.test(text) ? text : `declare ${text}`;
