import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { looksSecret, makeMasker, secretValues } from './secrets.ts';

describe('looksSecret', () => {
  test.each([
    'PASSWORD',
    'PGPASSWORD',
    'DB_PASS',
    'GITHUB_TOKEN',
    'npm_config__authToken',
    'AWS_SECRET_ACCESS_KEY',
    'api-key',
    'X-Api-Key',
    'Authorization',
    'Set-Cookie',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'DB_PWD',
  ])('takes %s for the name of a secret', (name) => {
    expect(looksSecret(name)).toBe(true);
  });

  test.each(['PATH', 'PWD', 'OLDPWD', 'SSH_AUTH_SOCK', 'KEYBOARD', 'BYPASS', 'MONKEY', 'HOME', ''])(
    'takes "%s" for the name of no secret',
    (name) => {
      expect(looksSecret(name)).toBe(false);
    },
  );

  test('selects the values of an environment whose names look secret', () => {
    expect(secretValues({ PATH: '/bin', DB_PASSWORD: 'hunter22', TOKEN: '' })).toEqual([
      'hunter22',
      '',
    ]);
  });
});

/** The text as it comes out of a stream into which it went in pieces of the given length. */
function streamed(secrets: readonly string[], text: string, pieceLength: number): string {
  const stream = makeMasker(secrets).stream();
  let out = '';
  for (let at = 0; at < text.length; at += pieceLength) {
    out += stream.push(text.slice(at, at + pieceLength));
  }
  return out + stream.end();
}

describe('makeMasker', () => {
  test('masks every occurrence, also of secrets with pattern characters', () => {
    const masker = makeMasker(['a.c*', 'x$(y)']);
    expect(masker.text('a.c* abcc x$(y)/a.c*')).toBe('*** abcc ***/***');
  });

  test('masks the longer of two secrets with the same prefix', () => {
    expect(makeMasker(['hunter', 'hunter22']).text('hunter22 hunter2')).toBe('*** ***2');
  });

  test('leaves values that are too short to be secrets', () => {
    expect(makeMasker(['1', 'yes', '']).text('1 yes')).toBe('1 yes');
    expect(makeMasker(['1']).stream().push('1')).toBe('1');
  });

  test('masks a secret that is split over two pieces', () => {
    const stream = makeMasker(['hunter22']).stream();
    expect([stream.push('pw=hunt'), stream.push('er22!'), stream.end()]).toEqual([
      'pw=',
      '***!',
      '',
    ]);
  });

  test('holds back only text that may still become a secret', () => {
    const stream = makeMasker(['abcd', 'abcdef']).stream();
    expect(stream.push('x abcd')).toBe('x ');
    expect(stream.push(' ')).toBe('*** ');
    expect(stream.push('abcdef')).toBe('***');
    expect(stream.push('abc')).toBe('');
    expect(stream.end()).toBe('abc');
    expect(stream.end()).toBe('');
  });

  test('masks a stream like the whole text, wherever it is split', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 40 });
    const secret = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 4, maxLength: 7 });
    fc.assert(
      fc.property(
        fc.array(secret, { maxLength: 4 }),
        letters,
        fc.integer({ min: 1, max: 9 }),
        (secrets, text, pieceLength) => {
          expect(streamed(secrets, text, pieceLength)).toBe(makeMasker(secrets).text(text));
        },
      ),
      { numRuns: 3000 },
    );
  });
});
