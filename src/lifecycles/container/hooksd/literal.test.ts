import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Compile } from '../../../model/pattern.ts';
import { LifehookError } from '../../../model/problem.ts';
import { invalidityOf, literalFirst } from './literal-first.ts';
import { classify } from './literal.ts';
import { re2Compiler } from '../../../model/re2.ts';

const re2 = re2Compiler();

/** The engine's answer; undefined for a pattern that it refuses. */
function engineFinds(pattern: string, text: string): boolean | undefined {
  const compiled = re2(pattern);
  return 'invalid' in compiled ? undefined : compiled.matches(text);
}

const PIECES = [
  'a b bin / /sh . .* .* ^ $ | \\. \\/ \\| \\\\ \\$ * + ? {2} {0,1} { } ( ) (?: (?i) (?P<n> [ab] [^a] [ ]',
  '\\d \\b \\z \\A \\Q \\E \\x41 \\pL \n é \u{1F600} []a] [[:alpha:]]',
].flatMap((pieces) => pieces.split(' '));
const pattern = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 7 })
  .map((pieces) => pieces.join(''));
const text = fc
  .array(fc.constantFrom(...'a b bin / /sh . | \\ $ \n é \u{1F600} A 1'.split(' ')), {
    maxLength: 6,
  })
  .map((pieces) => pieces.join(''));

describe('classify', () => {
  test.each([
    ['^/bin/sh$', [{ start: true, parts: ['/bin/sh'], end: true }]],
    ['.*/init$', [{ start: false, parts: ['', '/init'], end: true }]],
    [
      'sh|\\.run',
      [
        { start: false, parts: ['sh'], end: false },
        { start: false, parts: ['.run'], end: false },
      ],
    ],
    ['', [{ start: false, parts: [''], end: false }]],
    ['a\\$', [{ start: false, parts: ['a$'], end: false }]],
    ['\\$a$', [{ start: false, parts: ['$a'], end: true }]],
  ])('decides %j by comparing text', (literal, forms) => {
    expect(classify(literal)).toEqual({ kind: 'literal', forms });
  });

  test.each([
    ['^/usr/(local/)?bin/sh$', 'bin/sh'],
    ['colou?r', 'colo'],
    ['fo+bar', 'bar'],
    ['(?i)sh', ''],
    ['abc|d+', ''],
    ['[0-9]{4}-run', '-run'],
    ['\\x41bcdef', ''],
  ])('leaves %j to the engine, for texts that contain %j', (regex, required) => {
    expect(classify(regex)).toEqual({ kind: 'regex', required });
  });

  test.each([
    ['^a.*b', 'a\nb'],
    ['a$', 'a\nb'],
    ['a.*b$', 'xa\nb'],
    ['^ab.*bc$', 'abc'],
    ['ab.*bc$', 'abc'],
    ['aba.*aba', 'ababa'],
  ])('finds %j nowhere in %j, as the engine', (literal, value) => {
    expect(classify(literal).kind).toBe('literal');
    expect(engineFinds(literal, value)).toBe(false);
    expect(literalFirst(re2)(literal).matches(value)).toBe(false);
  });

  test('always agrees with the engine on validity and on matches', () => {
    let literals = 0;
    fc.assert(
      fc.property(pattern, text, (tried, value) => {
        const truth = engineFinds(tried, value);
        expect(invalidityOf(tried, re2) === undefined).toBe(truth !== undefined);
        if (classify(tried).kind === 'literal') literals += 1;
        if (truth !== undefined) expect(literalFirst(re2)(tried).matches(value)).toBe(truth);
      }),
      { numRuns: 20_000 },
    );
    // The property would prove nothing if the generator made no literal patterns.
    expect(literals).toBeGreaterThan(1_000);
  });
});

test('literalFirst asks the engine only for texts that contain the text that the pattern requires', () => {
  const asked: string[] = [];
  const matcher = literalFirst((regex) => {
    asked.push(regex);
    return re2(regex);
  })('/usr/s?bin/sh');
  expect(matcher.matches('/bin/true')).toBe(false);
  expect(asked).toEqual([]);
  expect(matcher.matches('/usr/sbin/sh')).toBe(true);
  expect(asked).toEqual(['/usr/s?bin/sh']);
});

describe('the engine', () => {
  const absent: Compile = () => {
    throw new Error('the engine was asked');
  };

  test('is not asked whether a literal pattern is valid', () => {
    expect(invalidityOf('^/bin/sh$', absent)).toBeUndefined();
  });

  test('is asked once for a pattern that several files contain', () => {
    let compiled = 0;
    const matcherOf = literalFirst((regex) => {
      compiled += 1;
      return re2(regex);
    });
    for (const value of ['a', 'aa']) expect(matcherOf('^a+$').matches(value)).toBe(true);
    expect(compiled).toBe(1);
  });

  test('may take 50 million steps for all patterns of a container', () => {
    const matcher = literalFirst(() => ({ size: 500_000, matches: () => true }))('a+');
    expect(matcher.matches('a'.repeat(100))).toBe(true);
    expect(() => matcher.matches('a')).toThrow(
      new LifehookError({
        code: 'LHC123',
        severity: 'error',
        message:
          'The patterns of hook files may take at most 50000000 steps for one container: "a+" on a text of 1 characters would exceed that.',
        next: 'Make the pattern simpler, or the annotation shorter.',
      }),
    );
  });

  test('refuses a pattern that should have been refused when its file was read', () => {
    const matcher = literalFirst(() => ({ invalid: 'missing )' }))('(a');
    expect(() => matcher.matches('a')).toThrow('a bad pattern was not refused: missing )');
  });
});

describe('patterns that would take long', () => {
  test.each(['(.*a){900}', 'a{0,900}[bc]{0,900}d{0,900}', `[ab]${'x'.repeat(20_000)}`])(
    'are refused when they are read: %.20s',
    (costly) => {
      expect(invalidityOf(costly, re2Compiler())).toMatch(/may have at most \d+$/);
    },
  );

  test('are refused for a container whose texts are too long for them', () => {
    const matcher = literalFirst(re2Compiler())('(a|b){3}(.*a.*b){20}c$');
    expect(matcher.matches('ababab')).toBe(false);
    expect(() => matcher.matches(`${'ab'.repeat(1_000_000)}cx`)).toThrow('LHC123');
  });
});
