import { assert, jsonValue, property } from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Json } from '../../../../src/kube/object.ts';
import { parseBody, duplicateFields } from './decode-body.ts';

const JSON_TYPE = 'application/json';

describe('the text of a request body', () => {
  it('is read as JSON or YAML by its content type', async () => {
    const parsed = { kind: 'parsed', body: { a: [1, 'on'] }, duplicates: [] };
    expect(await parseBody('{"a":[1,"on"]}', '', 'Pod')).toEqual(parsed);
    expect(await parseBody('{"a":[1,"on"]}', 'application/json; charset=utf-8', 'Pod')).toEqual(
      parsed,
    );
    expect(await parseBody('a:\n- 1\n- on\n', 'application/yaml', 'Pod')).toEqual(parsed);
    expect(await parseBody('{"a":[1,"on"]}', 'application/apply-patch+yaml', 'Pod')).toEqual(
      parsed,
    );
  });

  it('is refused with 415 for another content type', async () => {
    expect(await parseBody('', 'application/vnd.kubernetes.protobuf', 'Pod')).toMatchObject({
      kind: 'failed',
      code: 415,
      reason: 'UnsupportedMediaType',
    });
  });

  it('is refused when it cannot be parsed, and the error quotes its beginning', async () => {
    expect(await parseBody('{x', JSON_TYPE, 'Pod')).toMatchObject({
      code: 400,
      message: expect.stringMatching(
        /^the object provided is unrecognized \(must be of type Pod\): couldn't get version\/kind; json parse error: .* \(\{x\)$/,
      ),
    });
    expect(await parseBody('x', JSON_TYPE, 'Pod')).toMatchObject({
      message: expect.stringMatching(/\(78\)$/),
    });
    expect(await parseBody('a: [', 'application/yaml', 'Pod')).toMatchObject({
      message: expect.stringContaining('yaml parse error'),
    });
  });

  it('is refused when it is nested too deeply', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(await parseBody(deep, JSON_TYPE, 'Pod')).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('exceeded max depth'),
    });
  });

  it('is refused when it is YAML that is nested too deeply', async () => {
    expect(await parseBody('- ? '.repeat(50_000), 'application/yaml', 'Pod')).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('more than 200 levels deep at line 1, column 40'),
    });
  });

  it('is refused when YAML aliases multiply it', async () => {
    const rows = 'abcdefghi'.split('').map((name, at, all) => {
      const before = all[at - 1];
      const item = before === undefined ? 'x' : `*${before}`;
      return `${name}: &${name} [${Array.from({ length: 9 }, () => item).join(', ')}]`;
    });
    expect(await parseBody(rows.join('\n'), 'application/yaml', 'Pod')).toMatchObject({
      kind: 'failed',
    });
  });

  it('has its duplicate fields listed, for JSON and YAML', async () => {
    const json = '{"a":{"b":1,"c":[{"d":"}"},{"d":1,"d":"x\\",\\"d"}],"b":2,"b":3},"d":{},"a":1}';
    expect(await parseBody(json, JSON_TYPE, 'Pod')).toMatchObject({
      duplicates: ['a.c[1].d', 'a.b', 'a'],
    });
    expect(
      await parseBody('a:\n  - {b: 1, b: 2}\nc: 1\nc: 2\n', 'application/yaml', 'Pod'),
    ).toMatchObject({
      body: { a: [{ b: 2 }], c: 2 },
      duplicates: ['a[0].b', 'c'],
    });
  });

  it('has no duplicate fields when it was written from an object', () => {
    assert(
      property(jsonValue(), (value) => {
        // The string `":` looks like the end of a name. It makes the count of names wrong, so the punctuation is
        // followed.
        for (const body of [value as Json, ['":', value as Json]]) {
          expect(duplicateFields(JSON.stringify(body, null, 1), body)).toEqual([]);
        }
      }),
    );
  });

  it.each([
    ['space before a colon', '{"a" \n:1,"b":2,"a":3}', ['a']],
    ['a name that ends in a backslash', '{"a\\\\":1,"a\\\\":2}', ['a\\']],
    ['a text that looks like a name', '{"a":"\\":","b":{"c":1,"c":2}}', ['b.c']],
    ['a name that looks like two', '{"a\\":":1}', []],
    ['__proto__', '{"__proto__":1,"__proto__":2}', ['__proto__']],
  ])('has its duplicate fields listed next to %s', (...[, text, duplicates]) => {
    expect(duplicateFields(text, JSON.parse(text) as Json)).toEqual(duplicates);
  });
});
