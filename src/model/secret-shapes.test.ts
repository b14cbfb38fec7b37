import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { maskShapes, shapeStream } from './secret-shapes.ts';

describe('maskShapes', () => {
  test.each([
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
    ['token: 8f3a9c77e1', 'token: ***'],
  ])('masks %s', (text, masked) => {
    expect(maskShapes(text)).toBe(masked);
    expect(maskShapes(masked)).toBe(masked);
  });

  test.each([
    'could not read secret: not found',
    'Unexpected token: }',
    'automountServiceAccountToken: false',
    'secretName: web-tls',
    'see http://host:8080/path and a@b',
    'the token bucket is full, password required',
    'a::set-env name=FOO::BAR',
    'AKIA is a prefix',
    '',
  ])('leaves "%s"', (text) => {
    expect(maskShapes(text)).toBe(text);
  });
});

function streamed(text: string, lengths: readonly number[]): string {
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
  'AKIA',
  'IOSFODNN7EXAMPLE',
  'eyJhbGciOiJI',
  'eyJhbGciOiJI.eyJzdWIiOiIx.',
  'e',
  '.',
  'secret',
  '_pass',
];

describe('shapeStream', () => {
  test('masks like the whole text, wherever it is split', () => {
    const text = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 14 });
    const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(text, lengths, (fragments, pieces) => {
        const whole = fragments.join('');
        expect(streamed(whole, pieces)).toBe(maskShapes(whole));
      }),
      { numRuns: 5_000 },
    );
  });

  test('holds back only what may become a shape', () => {
    const stream = shapeStream();
    expect(stream.push('step 12')).toBe('step 12');
    expect(stream.push(', pass')).toBe(', ');
    expect(stream.push('ed\n')).toBe('passed\n');
    expect(stream.push('password=ab')).toBe('');
    expect(stream.push('c d')).toBe('password=*** d');
  });

  test('shows nothing of a value that is longer than what it holds', () => {
    const part = 'v4lue'.repeat(1_000);
    for (const [begin, end] of [
      ['password=', ' after'],
      ['"password": "two ', '" after'],
    ] as const) {
      const stream = shapeStream();
      let out = stream.push(begin);
      for (let count = 0; count < 20; count += 1) out += stream.push(part);
      out += stream.push(end) + stream.end();
      expect(out).not.toContain('v4lue');
      expect(out).toMatch(/after$/u);
    }
  });

  test.each(['eyJ', 'token=', 'password', '://x:', 'password" ', 'secret: ', '--token '])(
    'takes no more steps than it can bear of "%s" many times',
    (part) => {
      const text = `${part.repeat(65_536 / part.length)} `;
      expect(streamed(text, [65_536])).toBe(maskShapes(text));
    },
  );

  test('shows a long line that is no value', () => {
    const text = `http://host/${'x'.repeat(10_000)}`;
    expect(streamed(text, [4_000])).toBe(text);
  });
});
