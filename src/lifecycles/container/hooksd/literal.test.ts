import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

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
    // The property would say nothing if the generator made no literal patterns.
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

describe('patterns that would take long', () => {
  test.each(['(.*a){900}', 'a{0,900}[bc]{0,900}d{0,900}', `[ab]${'x'.repeat(20_000)}`])(
    'are refused when they are read: %.20s',
    (costly) => {
      expect(invalidityOf(costly, re2Compiler())).toMatch(/may have \d+$/);
    },
  );

  test('are refused for a container whose texts are too long for them', () => {
    const matcher = literalFirst(re2Compiler())('(a|b){3}(.*a.*b){20}c$');
    expect(matcher.matches('ababab')).toBe(false);
    expect(() => matcher.matches(`${'ab'.repeat(1_000_000)}cx`)).toThrow('LHC123');
  });
});
