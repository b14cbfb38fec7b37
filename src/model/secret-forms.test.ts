import * as fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import type * as Forms from './secret-forms.ts';

let secretForms: typeof Forms.secretForms;
let base64Forms: typeof Forms.base64Forms;
let hexForms: typeof Forms.hexForms;

// The module caches the forms of the last secrets, so each test loads it anew.
beforeEach(async () => {
  vi.resetModules();
  ({ secretForms, base64Forms, hexForms } = await import('./secret-forms.ts'));
});

const LONG = 16_384;

describe('the forms of a secret value (ENG-S2)', () => {
  it('are itself, base64 at each of three places, and hexadecimal, the longest first', () => {
    expect(secretForms(['hunter22'])).toEqual([
      '68756e7465723232',
      '68756E7465723232',
      'aHVudGVyMjI',
      'aHVudGVyMj',
      'h1bnRlcjIy',
      'odW50ZXIyM',
      'hunter22',
    ]);
  });

  it('have base64 for URLs too', () => {
    expect(base64Forms('>>>???~~')).toEqual([
      'Pj4+Pz8/fn4',
      'Pj4+Pz8/fn',
      '4+Pj8/P35+',
      '+Pj4/Pz9+f',
      'Pj4-Pz8_fn4',
      'Pj4-Pz8_fn',
      '4-Pj8_P35-',
      '-Pj4_Pz9-f',
    ]);
  });

  it('are none of a value that has fewer than four characters', () => {
    expect(secretForms(['', 'a', 'abc'])).toEqual([]);
    expect(secretForms(['abcd'])).toEqual(['YWJjZA', 'abcd']);
  });

  it('have base64 inside of a longer text only from eight characters on', () => {
    expect(new Set(base64Forms('abcdef'))).toEqual(new Set(['YWJjZGVm']));
    expect(base64Forms('abcdefg').slice(0, 4)).toEqual([
      'YWJjZGVmZw',
      'YWJjZGVmZ',
      'FiY2RlZm',
      'hYmNkZWZn',
    ]);
  });

  it.each([
    ['hunter22\n', 'hunter22'],
    ['hunter22\r\n', 'hunter22'],
    ['hunter22\n\n', 'hunter22\n'],
    ['two lines\nof it\n', 'two lines\nof it'],
  ])('of %j are also those without its last line end', (value, without) => {
    const forms = secretForms([value]);
    expect(forms).toContain(value);
    expect(forms).toEqual(
      expect.arrayContaining([without, ...base64Forms(without), ...hexForms(without)]),
    );
    expect(forms.includes('hunter22')).toBe(without === 'hunter22');
    expect(forms).toEqual(forms.toSorted((a, b) => b.length - a.length));
  });

  it('keep a line end inside, and a value that has only three characters before it', () => {
    expect(secretForms(['one\ntwo'])).not.toContain('one');
    expect(secretForms(['abc\n'])).not.toContain('abc');
  });

  it('are those in a URL and in JSON', () => {
    expect(secretForms(['a"b c\\'])).toEqual(
      expect.arrayContaining([String.raw`a\"b c\\`, 'a%22b%20c%5C']),
    );
  });

  it('are the lines of a key, from 16 characters without spaces on', () => {
    const lines = [
      'A-Za_z0.9+/=QUJD',
      'has spaces in it, long',
      'QUJDQUJDQUJDQUJDQUJD is its beginning',
      'its end is QUJDQUJDQUJDQUJDQUJD',
      'QUJDQUJDQUJDQUJ',
      'REVGREVGREVGREVGREVG',
    ];
    for (const end of ['\n', '\r\n']) {
      const forms = secretForms([lines.join(end)]);
      expect(lines.filter((line) => forms.includes(line))).toEqual([lines[0], lines[5]]);
    }
  });

  it('of a value of more than 16 384 characters are itself only', () => {
    const value = 'x y'.repeat(LONG).slice(0, LONG);
    expect(secretForms([`${value}z`])).toEqual([`${value}z`]);
    expect([base64Forms(`${value}z`), hexForms(`${value}z`)]).toEqual([[], []]);
    expect(secretForms([value]).length).toBeGreaterThan(5);
    expect(base64Forms(value)[0]).toBe(Buffer.from(value).toString('base64').replace(/=+$/u, ''));
    expect(hexForms(value)[0]).toBe(Buffer.from(value).toString('hex'));
  });

  it('are found in the base64 of any text that has the value', () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 });
    const secret = fc.string({ unit: 'binary', minLength: 9, maxLength: 24 });
    fc.assert(
      fc.property(text, secret, text, (before, value, after) => {
        const bytes = Buffer.concat([before, value, after].map((one) => Buffer.from(one)));
        for (const encoding of ['base64', 'base64url'] as const) {
          const whole = bytes.toString(encoding);
          expect(base64Forms(value).some((form) => whole.includes(form))).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are the hexadecimal of its bytes, in both cases, from eight bytes on', () => {
    expect(hexForms('1234567')).toEqual([]);
    expect(hexForms('12345678')).toEqual(['3132333435363738', '3132333435363738']);
    const secret = fc.string({ unit: 'binary', minLength: 8, maxLength: 24 });
    fc.assert(
      fc.property(secret, (value) => {
        const hex = Buffer.from(value).toString('hex');
        expect(hexForms(value)).toEqual([hex, hex.toUpperCase()]);
      }),
      { numRuns: 300 },
    );
  });

  it('have U+FFFD for half a character, and leave the whole ones', () => {
    const value = 'half \uD83D and whole \u{1F600}';
    expect(hexForms(value)[0]).toBe(Buffer.from(value).toString('hex'));
    expect(secretForms([value])).toContain('half%20%EF%BF%BD%20and%20whole%20%F0%9F%98%80');
  });
});
