import { beforeEach, describe, expect, test, vi } from 'vitest';

import type * as Secrets from './secrets.ts';

let makeMasker: typeof Secrets.makeMasker;
let maskValues: typeof Secrets.maskValues;

// The module caches the forms of the last secrets, so each test loads it anew.
beforeEach(async () => {
  vi.resetModules();
  ({ makeMasker, maskValues } = await import('./secrets.ts'));
});

/** The text that a stream outputs when it is written in pieces of the given length. */
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

  test('takes every character of a secret as it is, and masks nothing else (ENG-S2)', () => {
    for (const character of String.raw`.*+?^$\{}()|[]/-`.split('')) {
      const secret = `ab${character}cd`;
      const others = 'abcd abXcd abb ab cd aacd';
      expect(makeMasker([secret]).text(`${others} ${secret}=${secret} ${others}`)).toBe(
        `${others} ***=*** ${others}`,
      );
    }
  });

  test('masks by shape too, and maskValues by value only (ENG-S2, ENG-S4)', () => {
    expect(makeMasker(['hunter22']).text('hunter22 password=x')).toBe('*** password=***');
    expect(maskValues(['hunter22']).text('hunter22 password=x')).toBe('*** password=x');
  });

  test('masks for each hook its own secrets, also after those of another one (ENG-S2)', () => {
    const [first, second] = [makeMasker(['first-one']), makeMasker(['second-one'])];
    expect(second.text('first-one second-one')).toBe('first-one ***');
    expect(first.text('first-one second-one')).toBe('*** second-one');
    expect(makeMasker([]).text('first-one second-one')).toBe('first-one second-one');
  });

  test('masks two secrets of a hook where an earlier hook had both together as one (ENG-S2)', () => {
    makeMasker(['first-onesecond-one']);
    expect(makeMasker(['first-one', 'second-one']).text('first-one, second-one')).toBe('***, ***');
  });

  test.each([[[]], [['yes']]])('masks no word where the secrets are %j', (secrets) => {
    const masker = makeMasker(secrets);
    expect(masker.text('null undefined')).toBe('null undefined');
    expect(masker.stream().push('null undefined ')).toBe('null undefined ');
  });

  test.each(['aaaa', 'abcabc', 'ababa'])(
    'masks %s whole, although its end is like its beginning (ENG-S5)',
    (secret) => {
      const stream = makeMasker([secret]).stream();
      expect([stream.push(secret), stream.push(` ${secret} `), stream.end()]).toEqual([
        '***',
        ' *** ',
        '',
      ]);
    },
  );

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

  const variants = [16, 17, 18, 40].flatMap((bytes) =>
    ['\n', '\r\n'].map((end) => [bytes, end] as const),
  );

  test.each(variants)(
    'are masked in base64 to the short last line, of %d bytes, before %j',
    (bytes, end) => {
      const long = Array.from({ length: bytes }, (_, at) => 'aZ3+~'[(at * 7 + bytes) % 5]).join('');
      for (const whole of [long, `${long}\n`].map((one) => Buffer.from(one).toString('base64'))) {
        for (let tail = 3; tail <= 7; tail += 1) {
          const width = whole.replace(/=+$/u, '').length - tail;
          const text = `at:${end}${whole.slice(0, width)}${end}${whole.slice(width)}${end}ab${end}`;
          const shown = makeMasker([long]).text(text);
          expect(shown.replaceAll('=', '')).toBe(`at:${end}***${end}***${end}ab${end}`);
          expect([1, 3, 50].map((length) => streamed([long], text, length))).toEqual([
            shown,
            shown,
            shown,
          ]);
        }
      }
    },
  );

  test('leave a short line that is no end of base64, or is not alone, or follows another line', () => {
    const long = 'Fq7-~x:aZ3+~Fq7-~x:aZ3+~';
    const whole = Buffer.from(long).toString('base64');
    const [first, last] = [whole.slice(0, -4), whole.slice(-4)];
    for (const text of ['\nok\n', `\n${last} ok\n`, `\n\n${last}\n`, `\nok\n${last}\n`]) {
      expect(makeMasker([long]).text(first + text)).toBe(`***${text}`);
      for (const length of [1, 3, 50])
        expect(streamed([long], first + text, length)).toBe(`***${text}`);
    }
    expect(makeMasker([long]).text(`other line\n${last}\n`)).toBe(`other line\n${last}\n`);
  });

  test('are masked in hexadecimal of both cases, whole, inside of more and in lines, from eight bytes on', () => {
    const value = 'pä ss:wörd~of-many-characters';
    const hex = Buffer.from(value).toString('hex');
    for (const form of [hex, hex.toUpperCase(), `0x${hex}`, `00ff${hex}0a`]) {
      const shown = makeMasker([value]).text(`is ${form} end`);
      expect(shown).toMatch(/^is [0xf]*\*\*\*[0a]* end$/u);
      for (const length of [1, 7, 50])
        expect(streamed([value], `is ${form} end`, length)).toBe(shown);
    }
    for (const width of [15, 30, 34]) {
      const broken = (hex.match(new RegExp(`.{1,${width}}`, 'gu')) ?? []).join('\n');
      expect(makeMasker([value]).text(broken).replaceAll('\n', ''), `${width}`).toMatch(
        /^\**.{0,3}$/u,
      );
    }
    const lines = `${hex.slice(0, 28)}\n${hex.slice(28, 56)}\n${hex.slice(56)}\n`;
    expect(makeMasker([value]).text(lines)).toBe('***\n***\n***\n');
    expect(makeMasker(['12345678']).text('3132333435363738')).toBe('***');
    expect(makeMasker(['1234567']).text('31323334353637')).toBe('31323334353637');
    expect(makeMasker([value]).text(hex.slice(2, 8))).toBe(hex.slice(2, 8));
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
  test('are masked from the next piece on, also in what is held back (ENG-S6)', () => {
    const late: string[] = [];
    const masker = makeMasker(['first-one'], () => late);
    const stream = masker.stream();
    expect(stream.push('second-one ')).toBe('second-one ');
    late.push('second-one');
    expect(stream.push('first-one second-')).toBe('*** ');
    expect(stream.push('one')).toBe('***');
    expect(masker.text('second-one first-one')).toBe('*** ***');
    late.push('third-one');
    expect(masker.text('third-one second-one first-one')).toBe('*** *** ***');
    const broken = Buffer.from('third-one: and more').toString('base64');
    late.push('third-one: and more');
    expect(masker.text(`${broken.slice(0, 12)}\n${broken.slice(12)}\n`)).toBe('***\n***==\n');
  });
});
