import { describe, expect, test } from 'vitest';

import { type Glob, matchSequence, nameGlob, pathGlob } from './glob.ts';

const matches = (glob: Glob, text: string): boolean => glob.kind === 'glob' && glob.matches(text);

/** Texts for the rules of path.Match in Go: which of them each pattern matches, and which patterns are refused. */
const GO_TEXTS = [
  '!',
  'x',
  'a',
  'dx',
  '!x',
  'y',
  '^',
  ']',
  '-',
  'b',
  'c',
  'd',
  'e',
  '[',
  'z',
  'a]',
  'é',
  'web-1a',
  '',
  '\\',
  'ü',
  'w',
];
const GO_MATCHES: readonly (readonly [string, readonly string[]])[] = [
  ['[!x]', ['!', 'x']],
  ['[!]', ['!']],
  ['[!a-c]x', ['!x']],
  ['[^a-c]x', ['dx', '!x']],
  ['[^x]', ['!', 'a', 'y', '^', ']', '-', 'b', 'c', 'd', 'e', '[', 'z', 'é', '\\', 'ü', 'w']],
  [String.raw`[\-a]`, ['a', '-']],
  [String.raw`[\]a]`, ['a', ']']],
  [String.raw`[a-\]]`, []],
  ['[z-a]', []],
  ['[!-x]', ['!', 'x', 'a', '^', ']', '-', 'b', 'c', 'd', 'e', '[', '\\', 'w']],
  ['[^!]', ['x', 'a', 'y', '^', ']', '-', 'b', 'c', 'd', 'e', '[', 'z', 'é', '\\', 'ü', 'w']],
  ['[a]]', ['a]']],
  ['[[]', ['[']],
  ['[a^]', ['a', '^']],
  ['[^^]', ['!', 'x', 'a', 'y', ']', '-', 'b', 'c', 'd', 'e', '[', 'z', 'é', '\\', 'ü', 'w']],
  ['[é-ü]', ['é', 'ü']],
  ['?', ['!', 'x', 'a', 'y', '^', ']', '-', 'b', 'c', 'd', 'e', '[', 'z', 'é', '\\', 'ü', 'w']],
  ['web-[0-9]*', ['web-1a']],
  [
    '*',
    [
      '!',
      'x',
      'a',
      'dx',
      '!x',
      'y',
      '^',
      ']',
      '-',
      'b',
      'c',
      'd',
      'e',
      '[',
      'z',
      'a]',
      'é',
      'web-1a',
      '',
      '\\',
      'ü',
      'w',
    ],
  ],
  ['', ['']],
  ['[!!]', ['!']],
];
const GO_REFUSES = [
  '[^]',
  '[]',
  '[]a]',
  '[a-]',
  '[-a]',
  '[a-c-e]',
  'a[',
  'a[b',
  'a\\',
  '*[',
  '[a-b-]',
  '[^-]',
  '[\\',
  '[]-a]',
];

describe('a glob of names', () => {
  test.each([
    ['web-*', 'web-7f-x'],
    ['*', ''],
    ['*-?', 'a-b'],
    ['[a-c]x', 'bx'],
    ['[^a-c]x', 'dx'],
    ['a*b*c', 'aXbYbZc'],
    [String.raw`\*`, '*'],
  ])('%s matches %j', (pattern, text) => {
    expect(matches(nameGlob(pattern), text)).toBe(true);
  });

  test.each([
    ['web-*', 'my-web-1'],
    ['?', ''],
    ['[a-c]', 'd'],
    ['a*b', 'abc'],
    [String.raw`\*`, 'x'],
  ])('%s does not match %j', (pattern, text) => {
    expect(matches(nameGlob(pattern), text)).toBe(false);
  });

  test.each(GO_MATCHES)('%s matches what Go matches', (pattern, texts) => {
    const glob = nameGlob(pattern);
    expect(glob.kind).toBe('glob');
    expect(GO_TEXTS.filter((text) => matches(glob, text))).toEqual(texts);
  });

  test.each(GO_REFUSES)('%s is invalid, as for Go', (pattern) => {
    expect(nameGlob(pattern).kind).toBe('wrong');
  });

  test.each(['[', '[]', '[a', 'a\\', 'x'.repeat(5000)])('%s is invalid (PIPE-B12)', (pattern) => {
    expect(nameGlob(pattern).kind).toBe('wrong');
  });

  test('costs at most its length times the length of the text, however many stars it has', () => {
    const pattern = Array.from(`${'*a'.repeat(200)}b`);
    const text = Array.from('a'.repeat(400));
    let looks = 0;
    const fits = (part: string, char: string): boolean => {
      looks += 1;
      if (looks > pattern.length * text.length) throw new Error('it looks too often');
      return part === char;
    };
    expect(matchSequence(pattern, text, { isMany: (part) => part === '*', fits })).toBe(false);
    expect(looks).toBeGreaterThan(text.length);
  });
});

describe('a glob of paths', () => {
  test.each([
    ['src/**', 'src/a'],
    ['src/**', 'src/b/c'],
    ['**/*.js', 'a.js'],
    ['**/*.js', 'b/c/a.js'],
    ['./a/*', 'a/b'],
    ['[!a-c]x', 'dx'],
    ['a/**/b', 'a/b'],
  ])('%s matches %s', (pattern, path) => {
    expect(matches(pathGlob(pattern), path)).toBe(true);
  });

  test.each([
    ['*.js', 'b/a.js'],
    ['src/**', 'srcs/a'],
    ['a/*', 'a/b/c'],
    ['a/**/b', 'a/c'],
  ])('%s does not match %s', (pattern, path) => {
    expect(matches(pathGlob(pattern), path)).toBe(false);
  });

  test('is invalid when one of its parts is', () => {
    expect(pathGlob('a/[').kind).toBe('wrong');
  });
});
