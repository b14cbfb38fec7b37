import { beforeEach, describe, expect, test, vi } from 'vitest';

import type * as Shapes from './secret-shapes.ts';

let maskShapes: typeof Shapes.maskShapes;
let shapeStream: typeof Shapes.shapeStream;

// The module compiles its patterns once, so each test loads it anew.
beforeEach(async () => {
  vi.resetModules();
  ({ maskShapes, shapeStream } = await import('./secret-shapes.ts'));
});

const STRONG = [
  'password',
  'passwd',
  'passphrase',
  'authorization',
  ...['api', 'access', 'account', 'private', 'secret', 'auth', 'client', 'encryption'].flatMap(
    (kind) => ['key', '_token', '-secret', '_key', '-key', 'token'].map((thing) => kind + thing),
  ),
];
const WEAK = [
  'secret',
  'token',
  'credential',
  'credentials',
  'db_pass',
  'db-pass',
  'a_pwd',
  'a-pwd',
];

/** Prefixes of the keys of well-known services, and the minimum number of characters after each. */
const KEYS: readonly (readonly [string, number])[] = [
  ['AKIA', 16],
  ['ASIA', 16],
  ['AIza', 35],
  ['ya29.', 20],
  ['github_pat_', 22],
  ['glpat-', 20],
  ['sk_live_', 16],
  ['rk_live_', 16],
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'npm_'].map((begin) => [begin, 36] as const),
  ...['xoxa-', 'xoxb-', 'xoxp-', 'xoxs-'].map((begin) => [begin, 10] as const),
];

const ROWS = [
  ['password=hunter2 and more', 'password=*** and more'],
  ['PGPASSWORD=a,b;c', 'PGPASSWORD=***'],
  ['{"db_password":"a \\"b\\" c","user":"u"}', '{"db_password":"***","user":"u"}'],
  ["password: 'two words' x", "password: '***' x"],
  [String.raw`{\"password\":\"two words\"}`, String.raw`{\"password\":\"***\"}`],
  ['mysql --password hunter2 -u u', 'mysql --password *** -u u'],
  ['DB_PASS=x', 'DB_PASS=***'],
  ['Authorization: Bearer abc.def-123', 'Authorization: Bearer ***'],
  ['curl -H "authorization: basic dTpw"', 'curl -H "authorization: basic ***"'],
  ['sent bearer abcdefgh1234', 'sent bearer ***'],
  ['DB_URL=postgres://u:pw@h/d', 'DB_URL=postgres://u:***@h/d'],
  ['redis://:p@ss@host:6379/0', 'redis://:***@host:6379/0'],
  ['AWS_SECRET_ACCESS_KEY=abc/def+ghi', 'AWS_SECRET_ACCESS_KEY=***'],
  ['key AKIAIOSFODNN7EXAMPLE here', 'key *** here'],
  [`token ghp_${'a1'.repeat(18)}`, 'token ***'],
  [`AIza${'x'.repeat(35)}`, '***'],
  ['jwt eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0', 'jwt ***'],
  ['accountKey=abc==;EndpointSuffix=x', 'accountKey=***'],
  ['API_TOKEN=***', 'API_TOKEN=***'],
  ['AKIAIOSFODNN7EXAMPLE://u:pw@h', '***://u:***@h'],
  ['password="my secret" x', 'password="***" x'],
  ['password="a token" secret="my token" b', 'password="***" secret="***" b'],
  ['token=a passwd="is secret" b token', 'token=*** passwd="***" b token'],
  ['token: 8f3a9c77e1', 'token: ***'],
] as const;

describe('a secret by its shape (ENG-S4)', () => {
  test('is masked where it is written', () => {
    for (const [text, masked] of ROWS) {
      expect(maskShapes(text)).toBe(masked);
      expect(maskShapes(masked)).toBe(masked);
    }
  });

  test('is what follows a telling name and a sign', () => {
    for (const name of [...STRONG, ...WEAK]) {
      for (const written of [name, name.toUpperCase()]) {
        for (const sign of ['=', ' = ', ':', '::']) {
          expect(maskShapes(`a ${written}${sign}hunter b`)).toBe(`a ${written}${sign}*** b`);
        }
        for (const before of [`${written}":"`, `${written}'='`, `${written}="`]) {
          const end = before.slice(-1);
          expect(maskShapes(`a ${before}hunter b${end} c`)).toBe(`a ${before}***${end} c`);
        }
      }
    }
  });

  test('is any value after such a name, a colon and a space, also in quotes', () => {
    for (const name of STRONG) {
      for (const before of [`${name}: `, `${name}\t:\t`, `"${name}" : `, `${name}:: `]) {
        expect(maskShapes(`${before}hunter b`)).toBe(`${before}*** b`);
        expect(maskShapes(`${before}"hunter b" c`)).toBe(`${before}"***" c`);
      }
    }
  });

  test('is a value with a digit, or in quotes, after a name that is a word of sentences too', () => {
    for (const name of WEAK) {
      expect(maskShapes(`${name}: 1bcdefgh b`)).toBe(`${name}: *** b`);
      expect(maskShapes(`${name} :\t"not found" b`)).toBe(`${name} :\t"***" b`);
      expect(maskShapes(`${name}: abcdefgh b1`)).toBe(`${name}: abcdefgh b1`);
      expect(maskShapes(`${name}: 1bcdefg b`)).toBe(`${name}: 1bcdefg b`);
    }
  });

  test('is the argument of an option', () => {
    for (const flag of ['--password', '--passwd', '--token', '--secret', '--api-key']) {
      expect(maskShapes(`run ${flag} hunter b`)).toBe(`run ${flag} *** b`);
      expect(maskShapes(`run ${flag} \t"a b" c`)).toBe(`run ${flag} \t"***" c`);
    }
  });

  test('is what follows the scheme of an authorization', () => {
    for (const scheme of ['basic', 'Bearer', 'digest', 'token']) {
      expect(maskShapes(`Authorization: ${scheme} x y`)).toBe(`Authorization: ${scheme} *** y`);
      expect(maskShapes(`Authorization=${scheme}\t x y`)).toBe(`Authorization=${scheme}\t *** y`);
    }
  });

  test('is a bearer token of eight characters or more', () => {
    expect(maskShapes('bearer abcd.~+/ x')).toBe('bearer *** x');
    expect(maskShapes('Bearer \t-_=567890')).toBe('Bearer \t***');
    expect(maskShapes('bearer abcdefg x')).toBe('bearer abcdefg x');
  });

  test('is not true, false, null or none', () => {
    for (const word of ['true', 'false', 'null', 'none', 'TRUE']) {
      for (const end of ['', ' b', '"', "'"]) {
        expect(maskShapes(`password=${word}${end}`)).toBe(`password=${word}${end}`);
      }
      expect(maskShapes(`password=${word}1`)).toBe('password=***');
    }
  });

  test('is a key of a well-known service that is as long as they are', () => {
    for (const [begin, rest] of KEYS) {
      const key = `${begin}${'X1'.repeat(20).slice(0, rest)}`;
      expect(maskShapes(`is ${key} here`)).toBe('is *** here');
      expect(maskShapes(`is ${key}${'X'.repeat(250 - rest)} here`)).toBe('is *** here');
      expect(maskShapes(`is ${key.slice(0, -1)} here`)).toBe(`is ${key.slice(0, -1)} here`);
      const stream = shapeStream();
      expect([stream.push(`is ${key}`), stream.push(' '), stream.end()]).toEqual([
        'is ',
        '*** ',
        '',
      ]);
    }
  });

  test('is a JSON web token, from eight characters of both its objects on', () => {
    expect(maskShapes('is eyJ-bcdefgh.eyJ_bcdefgh.a-_ b')).toBe('is *** b');
    expect(maskShapes('is eyJabcdefgh.eyJabcdefgh. b')).toBe('is *** b');
    for (const other of [
      'eyJabcdefg.eyJabcdefgh.a',
      'eyJabcdefgh.eyJabcdefg.a',
      'eyJabcdefgh.a.b',
    ]) {
      expect(maskShapes(other)).toBe(other);
    }
  });

  test('is the password of a URL, and not its port', () => {
    expect(maskShapes('amqp://u:p:w@h and http://h:1/a@b')).toBe(
      'amqp://u:***@h and http://h:1/a@b',
    );
    expect(maskShapes('http://h:80/ "a:b@c"')).toBe('http://h:80/ "a:b@c"');
  });

  test('ends with its line, its quote or a space', () => {
    expect(maskShapes('password=a\nb')).toBe('password=***\nb');
    expect(maskShapes('password="a\nb"')).toBe('password="***\nb"');
    expect(maskShapes("password='a\nb'")).toBe("password='***\nb'");
    expect(maskShapes(String.raw`password="a\"b" c`)).toBe('password="***" c');
    expect(maskShapes(String.raw`\"password\":\"a b\" c`)).toBe(String.raw`\"password\":\"***\" c`);
    expect(maskShapes('password=\nb')).toBe('password=\nb');
    expect(maskShapes('password:\n--token\nbearer\nabcdefgh')).toBe(
      'password:\n--token\nbearer\nabcdefgh',
    );
  });

  test('is not in messages that only name one', () => {
    const texts = [
      'could not read secret: not found',
      'Unexpected token: }',
      'automountServiceAccountToken: false',
      'secretName: web-tls',
      'see http://host:8080/path and a@b',
      'the token bucket is full, password required',
      'a::set-env name=FOO::BAR',
      'AKIA is a prefix',
      '',
    ];
    expect(texts.map((text) => maskShapes(text))).toEqual(texts);
  });
});

describe('output that comes in pieces (ENG-S5)', () => {
  test('is masked as the whole text is, wherever it is split in two', () => {
    for (const [text, masked] of ROWS) {
      for (let at = 0; at <= text.length; at += 1) {
        const stream = shapeStream();
        const shown = stream.push(text.slice(0, at)) + stream.push(text.slice(at));
        expect(shown + stream.end(), `${at}`).toBe(masked);
      }
    }
  });

  test('shows no character of a secret before it is masked', () => {
    for (const [text, masked] of ROWS) {
      const stream = shapeStream();
      let shown = '';
      for (const character of text) {
        shown += stream.push(character);
        expect(masked.startsWith(shown), shown).toBe(true);
      }
      expect(shown + stream.end()).toBe(masked);
    }
  });

  test('holds back only what may become a shape', () => {
    const stream = shapeStream();
    expect(stream.push('step 12')).toBe('step 12');
    expect(stream.push(', pass')).toBe(', ');
    expect(stream.push('ed\n')).toBe('passed\n');
    expect(stream.push('password=ab')).toBe('');
    expect(stream.push('c d')).toBe('password=*** d');
    expect(stream.push('')).toBe('');
    expect(stream.push('a\nb\npassw')).toBe('a\nb\n');
    expect(stream.push('\n')).toBe('passw\n');
    expect(stream.push('token=abc')).toBe('');
    expect(stream.push('')).toBe('');
    expect(stream.end()).toBe('token=***');
  });

  /** The output for a text that is written in pieces of 1 000 characters, and as a whole. */
  const bothWays = (text: string): string[] =>
    [1_000, text.length].map((length) => {
      const stream = shapeStream();
      const pieces = text.match(new RegExp(`[^]{1,${length}}`, 'gu')) ?? [];
      return pieces.map((piece) => stream.push(piece)).join('') + stream.end();
    });

  const LONG = 'v4lue'.repeat(4_000);

  test.each([
    ['a password=', ' after "x"'],
    ['a password=', '\n after'],
    ['a password=', '" after'],
    ['a password=', "' after"],
    ['a password="', '" after'],
    ["a password='", "' after"],
    ['a "password": "', '\n after'],
    ['a "password": ', ' after'],
    ['run --token "', '" after'],
    ['a bearer ', ' after'],
    ['jwt eyJhbGciOiJI.eyJzdWIiOiIx.', ' after'],
  ])(
    'shows nothing of a value after %j that is longer than what is held, and shows %j',
    (before, after) => {
      const kept = before.replace(/eyJ.*/u, '');
      const value = /["']$/u.test(before) ? `${LONG} ${LONG}` : LONG;
      for (const shown of bothWays(`${before}${value}${after} password=x end`)) {
        expect(shown).toBe(`${kept}***${after} password=*** end`);
      }
    },
  );

  test('holds back a value of at most 8 192 characters', () => {
    const begin = 'password=';
    const stream = shapeStream();
    expect(stream.push(`a ${begin}${'x'.repeat(8_192 - begin.length)}`)).toBe('a ');
    expect(stream.push('x')).toBe('password=***');
    expect(stream.push('x 1')).toBe(' 1');
  });

  test.each([
    [`http://host/${LONG} end`, `http://host/${LONG} end`],
    [`http://${LONG} end`, `http://${LONG} end`],
    [`http://AKIAIOSFODNN7EXAMPLE.${LONG} end`, `http://***.${LONG} end`],
    [`password${' '.repeat(9_000)}end`, `password${' '.repeat(9_000)}end`],
  ])('shows a long text that is no value (%#)', (text, shown) => {
    expect(bothWays(text)).toEqual([shown, shown]);
  });
});
