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

describe('forms of a secret', () => {
  const secret = 'hunter22 "ä"\n';
  const masked = (text: string): string => makeMasker([secret]).text(text);

  test.each(['', 'x', 'xx', 'user:', 'a longer text before it '])(
    'are masked in base64, with "%s" before them',
    (before) => {
      const bytes = Buffer.from(`${before}${secret} and after`);
      for (const encoding of ['base64', 'base64url'] as const) {
        const shown = masked(bytes.toString(encoding));
        expect(shown).toContain('***');
        expect(Buffer.from(shown, 'base64').toString()).not.toContain('hunter2');
      }
      expect(masked(Buffer.from(secret).toString('base64'))).toMatch(/^\*\*\*=*$/u);
    },
  );

  test.each([
    ['', 76],
    ['a: ', 76],
    ['-----BEGIN-----\nxyz', 64],
    ['', 20],
    ['', 10],
  ])('are masked in base64 after %j, in lines of %d characters', (before, width) => {
    const long = 'Fq7-'.concat(...Array.from({ length: 30 }, (_, at) => `${at * at}:x~`));
    const whole = Buffer.from(`${before}${long}\n`).toString('base64');
    const lines = whole.match(new RegExp(`.{1,${width}}`, 'gu')) ?? [];
    const text = `data: \n${lines.join('\n')}\nend\n`;
    const own = Buffer.from(long).toString('base64').slice(4, -8);
    const shown = makeMasker([long]).text(text);
    const left = shown.split(/[^\w+/]+/u).filter((word) => word.length >= 8);
    expect(left.filter((word) => whole.includes(word) && own.includes(word))).toEqual([]);
    expect(shown).toMatch(/^data: \n[^]*\*\*\*[^]*\nend\n$/u);
    for (const length of [1, 7, 50]) expect(streamed([long], text, length)).toBe(shown);
  });

  test.each(['hunter22\n', 'hunter22\r\n'])('are masked without the line end of %j', (value) => {
    expect(makeMasker([value]).text('pw hunter22!')).toBe('pw ***!');
    expect(streamed([value], 'pw hunter22!', 3)).toBe('pw ***!');
  });

  test('are masked in a URL and in JSON', () => {
    expect(masked(`?q=${encodeURIComponent(secret)}&b=1`)).toBe('?q=***&b=1');
    expect(masked(JSON.stringify({ a: secret }))).toBe('{"a":"***"}');
  });

  test('are masked line by line where the lines are those of a key', () => {
    const key = `-----BEGIN KEY-----\n${'QUJD'.repeat(8)}\n${'REVG'.repeat(8)}\n`;
    expect(makeMasker([key]).text(`read ${'REVG'.repeat(8)}!`)).toBe('read ***!');
    expect(makeMasker(['kind: Config\nname: x\n']).text('kind: Config')).toBe('kind: Config');
  });
});

describe('secrets that become known later', () => {
  test('are masked from the next piece on, also in what is held back', () => {
    const late: string[] = [];
    const masker = makeMasker(['first-one'], () => late);
    const stream = masker.stream();
    expect(stream.push('second-one ')).toBe('second-one ');
    late.push('second-one');
    expect(stream.push('first-one second-')).toBe('*** ');
    expect(stream.push('one')).toBe('***');
    expect(masker.text('second-one')).toBe('***');
  });
});
