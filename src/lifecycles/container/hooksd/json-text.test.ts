import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type JsonValue, locator, readJson } from './json-text.ts';
import { encodeUtf8 } from '../../../platform/byte-text.ts';

function plain(value: JsonValue): unknown {
  switch (value.kind) {
    case 'object':
      return Object.fromEntries(value.members.map((member) => [member.key, plain(member.value)]));
    case 'array':
      return value.items.map((item) => plain(item));
    case 'number':
      return Number(value.text);
    case 'string':
      return value.text;
    case 'boolean':
      return value.value;
    case 'null':
      return null;
    default:
      throw new Error('no such kind');
  }
}

function read(text: string): unknown {
  const reading = readJson(encodeUtf8(text));
  if (!reading.ok) throw new Error(`expected ${reading.expected}, found ${reading.found}`);
  return plain(reading.value);
}

describe('readJson', () => {
  test('reads what JSON.stringify writes', () => {
    // "__proto__" is an ordinary key for the reader, but not for the objects that this test compares.
    const value = fc.jsonValue().filter((made) => !JSON.stringify(made).includes('__proto__'));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2, '\t'), (made, indent) => {
        expect(read(JSON.stringify(made, null, indent))).toEqual(JSON.parse(JSON.stringify(made)));
      }),
    );
  });

  test('accepts and refuses the same damaged texts as JSON.parse', () => {
    const damaged = fc
      .tuple(
        fc.jsonValue(),
        fc.nat(),
        fc.constantFrom('', ',', '"', '}', '\\', '0', '-', 'e', '\n'),
      )
      .map(([value, at, put]) => {
        const text = JSON.stringify(value);
        const cut = at % (text.length + 1);
        return text.slice(0, cut) + put + text.slice(cut + 1);
      });
    fc.assert(
      fc.property(damaged, (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        expect(readJson(encodeUtf8(text)).ok).toBe(valid);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['a lone high surrogate', '"\\ud83dx"', '\u{FFFD}x'],
    ['a lone low surrogate', '"\\ude00"', '\u{FFFD}'],
    ['a high surrogate before another escape', '"\\ud83d\\u0041"', '\u{FFFD}A'],
    ['two high surrogates before a low one', '"\\ud83d\\ud83d\\ude00"', '\u{FFFD}\u{1F600}'],
    ['two low surrogates', '"\\ude00\\ude00"', '\u{FFFD}\u{FFFD}'],
    ['the first low surrogate twice', '"\\udc00\\udc00"', '\u{FFFD}\u{FFFD}'],
    ['a pair', '"\\ud83d\\ude00"', '\u{1F600}'],
    ['the first pair', '"\\ud800\\udc00"', '\u{10000}'],
    ['the last pair', '"\\udbff\\udfff"', '\u{10FFFF}'],
    ['the last low surrogate', '"\\udfff"', '\u{FFFD}'],
    ['the characters next to the surrogates', '"\\ud7ff\\ue000"', '\u{D7FF}\u{E000}'],
    ['a high surrogate before such a character', '"\\ud83d\\ue000"', '\u{FFFD}\u{E000}'],
    ['a high surrogate before digits', '"\\ud83dxxde00"', '\u{FFFD}xxde00'],
  ])('unquotes %s as Go does', (_what, text, meaning) => {
    expect(read(text)).toBe(meaning);
  });

  test('counts levels of nesting, and not lists next to each other', () => {
    const lists = Array.from({ length: 150 }, () => []);
    expect(read(JSON.stringify(lists))).toEqual(lists);
  });

  test('replaces each byte of invalid UTF-8, as Go does', () => {
    expect(readJson('"a\xe2\x82b"')).toMatchObject({ value: { text: 'a\u{FFFD}\u{FFFD}b' } });
  });

  test.each([
    ['', '1:1', 'a value', 'the end of the file'],
    ['\u{FEFF}{}', '1:1', 'a value', 'a byte order mark'],
    ['{"a": 1,}', '1:9', 'a key', '"}"'],
    ['{"a": 1} x', '1:10', 'the end of the file', '"x"'],
    ['[1,\n 2,\n]', '3:1', 'a value', '"]"'],
    ['{\n  "a": 1\n  "b": 2\n}', '3:3', '"," or "}"', 'a string'],
    ['{"a" 1}', '1:6', '":" after the key', '"1"'],
    ['{a: 1}', '1:2', 'a key or "}"', '"a"'],
    ["['a']", '1:2', 'a value', '"\'"'],
    [
      '"\u{1F600}é\\x"',
      '1:6',
      'one of the characters " \\ / b f n r t u after the backslash',
      '"x"',
    ],
    ['"\\ "', '1:3', 'one of the characters " \\ / b f n r t u after the backslash', 'byte 0x20'],
    ['"\\u12G4"', '1:6', 'four hexadecimal digits', '"G"'],
    ['"a\tb"', '1:3', 'control characters written as \\u escapes', 'byte 0x09'],
    ['"a', '1:3', 'a closing "', 'the end of the file'],
    ['01', '1:2', 'the end of the file', '"1"'],
    ['1.', '1:3', 'a digit', 'the end of the file'],
    ['1e+', '1:4', 'a digit', 'the end of the file'],
    ['-x', '1:2', 'a digit', '"x"'],
    ['[1 2]', '1:4', '"," or "]"', '"2"'],
    ['\u007f', '1:1', 'a value', 'byte 0x7f'],
    ['-', '1:2', 'a digit', 'the end of the file'],
    ['nul', '1:4', 'the word null', 'the end of the file'],
    ['tRue', '1:2', 'the word true', '"R"'],
    ['[NaN]', '1:2', 'a value', '"N"'],
    ['[1] // no', '1:5', 'the end of the file', '"/"'],
    ['['.repeat(101), '1:101', 'at most 100 levels of nesting', 'one more'],
  ])('refuses %j at %s, where it expected %s and found %s', (...row) => {
    const [text, where, expected, found] = row;
    const bytes = encodeUtf8(text);
    const reading = readJson(bytes);
    expect(reading).toMatchObject({ ok: false, expected, found });
    const { line, column } = locator('x.json', bytes)(reading.ok ? -1 : reading.at);
    expect(`${line}:${column}`).toBe(where);
  });
});
