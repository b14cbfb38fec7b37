/** Mistakes in the text of a file: indentation, quotes, tabs, and generated files. */
import type { Mistake } from './mistake.ts';

const HEAD = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\n';

/** YAML aliases in levels, each of which repeats the level below nine times. */
function aliasBomb(levels: number): string {
  const lines = Array.from({ length: levels }, (_, level) => {
    const below = Array.from({ length: 9 }, () => (level === 0 ? 'x' : `*a${level - 1}`));
    return `  a${level}: &a${level} [${below.join(', ')}]`;
  });
  return `${HEAD}data:\n${lines.join('\n')}\n`;
}

const wrong = (
  title: string,
  text: string,
): Pick<Mistake, 'title' | 'files' | 'command' | 'exitCode'> => ({
  title,
  files: { 'web.yaml': text },
  command: ['lint', 'web.yaml'],
  exitCode: 1,
});

export const yamlMistakes: readonly Mistake[] = [
  {
    ...wrong('a tab as indentation', `${HEAD}data:\n\tport: "80"\n`),
    code: 'LHG030',
    at: 'web.yaml:5:1',
    says: ['neither YAML nor JSON'],
    next: 'Indent with spaces',
  },
  {
    ...wrong(
      'a tab as indentation in a file with the line ends of Windows',
      `${HEAD}data:\n\tport: "80"\n`.replaceAll('\n', '\r\n'),
    ),
    code: 'LHG030',
    at: 'web.yaml:5:1',
    says: ['neither YAML nor JSON'],
    next: 'Indent with spaces',
  },
  {
    ...wrong('a misspelt field behind a byte order mark', `\uFEFF${HEAD}dta: { port: "80" }\n`),
    code: 'LHM001',
    at: 'web.yaml:4:1',
    says: ['ConfigMap web', 'no field dta'],
    next: 'Did you mean data?',
  },
  {
    ...wrong('a list without blanks after its dashes', `${HEAD}items:\n  -name: a\n    -name: b\n`),
    code: 'LHG030',
    at: 'web.yaml:5:10',
    says: ['neither YAML nor JSON'],
    next: 'Put a space after the dash',
  },
  {
    ...wrong('typographic quotes', `${HEAD}data: { port: “80”: “81” }\n`),
    code: 'LHG030',
    at: 'web.yaml:4:15',
    says: ['neither YAML nor JSON'],
    next: 'Write straight quotes',
  },
  {
    ...wrong('a key that is there twice', `${HEAD}data: { port: "80" }\nkind: Secret\n`),
    code: 'LHM032',
    at: 'web.yaml:5:1',
    says: ['The key kind is in this map twice'],
    next: 'Remove one',
  },
  {
    ...wrong(
      'a mistake in the second document of a file',
      `${HEAD}---\n${HEAD.replace('web', 'two')}dat: {}\n`,
    ),
    code: 'LHM001',
    at: 'web.yaml:8:1',
    says: ['ConfigMap two'],
    next: 'Did you mean data?',
  },
  {
    ...wrong(
      'YAML that is nested too deeply',
      `${HEAD}data: { a: ${'['.repeat(300)}${']'.repeat(300)} }\n`,
    ),
    code: 'LHM030',
    at: 'web.yaml:4:211',
    says: ['more than 200 levels'],
    next: 'brackets that are not closed',
  },
  {
    ...wrong('aliases that multiply each other', aliasBomb(9)),
    code: 'LHM031',
    at: 'web.yaml:1:1',
    says: ['aliases', 'more than 100 times'],
    next: 'fewer aliases',
  },
  {
    ...wrong(
      'a file that is longer than any manifest',
      `${HEAD}data: { a: "${'x'.repeat(17_000_000)}" }\n`,
    ),
    code: 'LHG031',
    at: 'web.yaml:1:1',
    says: ['at most 16777216 characters'],
    next: 'Split the file',
  },
  {
    title: 'JSON that was cut short on standard input',
    stdin: '{ "apiVersion": "v1", "kind": "Pod", ',
    command: ['lint', '-'],
    exitCode: 1,
    code: 'LHG030',
    at: 'stdin:1:38',
    says: ['neither YAML nor JSON'],
    next: 'Correct the text',
  },
];
