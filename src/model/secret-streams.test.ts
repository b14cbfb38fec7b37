import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { makeMasker } from './secrets.ts';
import { maskShapes, shapeStream } from './secret-shapes.ts';

/** The text that a stream outputs when it is written in pieces of the given length. */
function streamedValues(secrets: readonly string[], text: string, pieceLength: number): string {
  const stream = makeMasker(secrets).stream();
  let out = '';
  for (let at = 0; at < text.length; at += pieceLength) {
    out += stream.push(text.slice(at, at + pieceLength));
  }
  return out + stream.end();
}

describe('a stream with secret values (ENG-S5)', () => {
  test('masks a stream like the whole text, wherever it is split', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 40 });
    const secret = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 4, maxLength: 7 });
    fc.assert(
      fc.property(
        fc.array(secret, { maxLength: 4 }),
        letters,
        fc.integer({ min: 1, max: 9 }),
        (secrets, text, pieceLength) => {
          expect(streamedValues(secrets, text, pieceLength)).toBe(makeMasker(secrets).text(text));
        },
      ),
      { numRuns: 3000 },
    );
  });
});

function streamedShapes(text: string, lengths: readonly number[]): string {
  const stream = shapeStream();
  let out = '';
  let at = 0;
  for (let index = 0; at < text.length; index += 1) {
    const length = lengths[index % lengths.length] ?? 1;
    out += stream.push(text.slice(at, at + length));
    at += length;
  }
  return out + stream.end();
}

const FRAGMENTS = [
  'password',
  'PASSWORD=',
  'token',
  ': ',
  '=',
  '::',
  ' ',
  '\n',
  '"',
  "'",
  '\\',
  'abc',
  'x1',
  'true',
  '@',
  '/',
  'http://',
  'u:p',
  'bearer ',
  'Basic ',
  '--token ',
  '--',
  'word ',
  'pass',
  'AKIA',
  'IOSFODNN7EXAMPLE',
  'eyJhbGciOiJI',
  'eyJhbGciOiJI.eyJzdWIiOiIx.',
  'e',
  '.',
  'secret',
  '_pass',
];

describe('a stream with secrets by their shape (ENG-S5)', () => {
  test('masks like the whole text, wherever it is split', () => {
    const text = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 14 });
    const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(text, lengths, (fragments, pieces) => {
        const whole = fragments.join('');
        expect(streamedShapes(whole, pieces)).toBe(maskShapes(whole));
      }),
      { numRuns: 5_000 },
    );
  });

  test.each(['eyJ', 'token=', 'password', '://x:', 'password" ', 'secret: ', '--token '])(
    'takes no more steps than it can bear of "%s" many times',
    (part) => {
      const text = `${part.repeat(65_536 / part.length)} `;
      expect(streamedShapes(text, [65_536])).toBe(maskShapes(text));
    },
  );
});
