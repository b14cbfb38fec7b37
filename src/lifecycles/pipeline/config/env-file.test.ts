import { describe, expect, test } from 'vitest';

import { withEnvFile } from './read-pipeline.ts';

const read = (text: string, env: Record<string, string | undefined> = {}): unknown => {
  const { env: all, problems } = withEnvFile(env, { file: '/p/skaffold.env', text });
  return problems.length === 0 ? all : problems;
};

describe('skaffold.env', () => {
  test.each<[string, Record<string, string>]>([
    ['A=1', { A: '1' }],
    ['A=1\r\nB=2\n', { A: '1', B: '2' }],
    ['\n  \n# A=1\n  # B=2', {}],
    ['  A = 1  ', { A: '1' }],
    ['A: 1', { A: '1' }],
    ['export A=1', { A: '1' }],
    ['export \t A=1', { A: '1' }],
    ['exportA=1', { exportA: '1' }],
    ['_a.b-1=x', { '_a.b-1': 'x' }],
    ['A=', { A: '' }],
    ['A=x=y:z', { A: 'x=y:z' }],
    ['A=1\nA=2', { A: '2' }],
  ])('reads the lines of %j', (text, env) => {
    expect(read(text)).toEqual(env);
  });

  test.each([
    ['a # comment', 'a'],
    ['# comment', ''],
    ['a#b', 'a#b'],
    ['a#b # c', 'a#b'],
    [String.raw`a\n`, String.raw`a\n`],
    [`'a # b'`, 'a # b'],
    [`'a' # b`, 'a'],
    [`"a" \t# b`, 'a'],
    [`"a"#b`, '"a"#b'],
    [String.raw`'a\nb'`, String.raw`a\nb`],
    [String.raw`"a\nb\rc\"d\\e\$f"`, 'a\nb\rc"d\\e$f'],
    [`"a'`, `"a'`],
    [`x"a"`, `x"a"`],
    [`""`, ''],
  ])('reads the value %j as %j', (written, value) => {
    expect(read(`A=${written}`)).toEqual({ A: value });
  });

  test('PIPE-E4: never overwrites what the process has, though that is empty', () => {
    const env = { A: 'mine', B: '', C: undefined };
    expect(read('A=1\nB=2\nC=3\nD=4', env)).toEqual({ A: 'mine', B: '', C: '3', D: '4' });
  });

  test.each(['1A=x', 'A', '=x', 'A B=1', '-A=1', 'x export A=1'])('reports the line %j', (line) => {
    expect(read(`A=1\n  ${line}`)).toEqual([
      {
        code: 'LHL122',
        severity: 'error',
        at: { file: '/p/skaffold.env', line: 2, column: 1 },
        message: `A line of skaffold.env must be NAME=value; received ${JSON.stringify(line)}.`,
        next: 'Correct or remove the line.',
      },
    ]);
  });
});
