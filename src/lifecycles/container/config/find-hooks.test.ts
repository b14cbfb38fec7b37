import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config-text.ts';
import { findHooks, guessHooks, scanForHooks } from './find-hooks.ts';
import { endOfValue } from './json-scan.ts';

const name = fc.constantFrom(
  'hooks',
  'Hooks',
  'hoo\\u006bs',
  'hoo\\u212as',
  'a',
  'b\\"hooks',
  '\\u0026',
);
const value = fc.constantFrom(
  '{}',
  'null',
  '"hooks"',
  '"\\"hooks\\""',
  '"a\\"hooks"',
  '{"hooks":{}}',
  '["hooks"]',
  '"\\u0026 \\\\"',
  '-1.5',
);
const space = fc.constantFrom('', ' ', '\r\n\t');
const member = fc
  .tuple(name, value, space)
  .map(([key, of, gap]) => `${gap}"${key}"${gap}:${gap}${of}${gap}`);
const config = fc.array(member, { maxLength: 5 }).map((members) => `{${members.join(',')}}`);

const keysOf = (text: string): string[] => {
  const reading = readConfig(text);
  if (reading.kind === 'refused') throw new Error(reading.problem.message);
  return Object.keys(reading.config);
};

describe('guessHooks', () => {
  it('agrees with the full scan whenever it gives an answer (OCI-F1)', () => {
    let answers = 0;
    fc.assert(
      fc.property(config, (text) => {
        const guess = guessHooks(text, keysOf(text));
        if (guess === null) return;
        answers += 1;
        expect(guess).toEqual(scanForHooks(text));
      }),
      { numRuns: 5000 },
    );
    expect(answers).toBeGreaterThan(1000);
  });

  it.each([
    ['hooks once', '{"a":"\\u0026","hooks":{}}', true],
    ['no hooks', '{"a":{"hooks":1},"b":"hooks"}', true],
    ['the name as a string value too', '{"a":"hooks","hooks":{}}', false],
    ['an escape that may spell the name', '{"a":"\\u0068","hooks":{}}', false],
    ['the name in upper case', '{"HOOKS":{}}', false],
  ])('answers only when the text is unambiguous: %s', (_, text, answers) => {
    expect(guessHooks(text, keysOf(text)) !== null).toBe(answers);
  });
});

describe('findHooks', () => {
  it('finds the member that JSON.parse finds', () => {
    fc.assert(
      fc.property(config, (text) => {
        const place = findHooks(text, keysOf(text));
        const parsed = JSON.parse(text) as Record<string, unknown>;
        if (place.kind === 'absent') expect(parsed).not.toHaveProperty('hooks');
        if (place.kind !== 'present') return;
        const found = text.slice(place.valueAt, endOfValue(text, place.valueAt));
        expect(JSON.parse(found)).toEqual(parsed['hooks']);
      }),
      { numRuns: 2000 },
    );
  });
});
