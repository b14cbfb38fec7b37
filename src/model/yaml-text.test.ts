import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { yamlDocuments, yamlText } from './yaml-text.ts';

const TEXTS = ['yes', 'No', 'on', 'off', 'y', '0644', '0o17', '1_000', '12:30:45', '~', '<<', '='];

describe('yamlText', () => {
  it.each(TEXTS)('writes the text %s so that readers of YAML 1.1 and 1.2 get it back', (text) => {
    const written = yamlText({ value: text });
    expect([parse(written, { version: '1.1' }), parse(written)]).toEqual([
      { value: text },
      { value: text },
    ]);
  });

  it.each([
    ['a line separator', 'one\u2028two', 'value: "one\\u2028two"\n'],
    ['a next line', 'one\u0085two', 'value: "one\\u0085two"\n'],
    ['a control character', '\u009F', 'value: "\\u009f"\n'],
    ['a byte order mark', '\uFEFFone', 'value: "\\ufeffone"\n'],
    ['a tab before its first line', '\tone\ntwo\n', String.raw`value: "\tone\ntwo\n"` + '\n'],
  ])('escapes %s, which readers of YAML 1.1 would refuse or change', (_, text, written) => {
    for (const style of [{}, { singleQuote: true }, { blockQuote: 'literal' } as const]) {
      expect(yamlText({ value: text }, style)).toBe(written);
    }
    expect(parse(yamlText({ [text]: [text] }))).toEqual({ [text]: [text] });
  });

  it('neither folds a long text nor names a value that is repeated', () => {
    const long = 'word '.repeat(100).trim();
    const shared = { a: [long] };
    expect(yamlText({ first: shared, second: shared })).toBe(
      `first:\n  a:\n    - ${long}\nsecond:\n  a:\n    - ${long}\n`,
    );
  });
});

it('yamlDocuments separates documents as kubectl reads them', () => {
  expect(yamlDocuments([{ a: 1 }, { b: 'yes' }], { singleQuote: true })).toBe(
    "a: 1\n---\nb: 'yes'\n",
  );
});
