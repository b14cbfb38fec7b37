import { describe, expect, it } from 'vitest';

import { readTrees, type Located, yamlAdvice } from './located-tree.ts';
import { readDocuments } from './located-document.ts';

const read = (text: string): Located => {
  const { trees, problems } = readTrees('a.yaml', text);
  expect(problems).toEqual([]);
  const [tree] = trees;
  if (tree === undefined) throw new Error('no document');
  return tree;
};
const keys = (tree: Located): string[] => (tree.kind === 'map' ? [...tree.fields.keys()] : []);

/** YAML with a thousand nodes, and a thousand more for each alias. */
const manyParts = (aliases: number): string =>
  `- &a [${Array.from({ length: 998 }, () => 1).join()}]\n- [${Array.from({ length: aliases }, () => '*a').join()}]\n`;

describe('readTrees', () => {
  it('records the positions of keys and values, and the text of a number', () => {
    const tree = read('a:\n  version: 1.10\n');
    const inner = tree.kind === 'map' ? tree.fields.get('a')?.value : undefined;
    const field = inner?.kind === 'map' ? inner.fields.get('version') : undefined;
    expect(field?.keyAt).toEqual({ file: 'a.yaml', line: 2, column: 3 });
    expect(field?.value).toMatchObject({ value: 1.1, text: '1.10', at: { line: 2, column: 12 } });
  });

  it('resolves aliases and merge keys, and prefers explicit keys', () => {
    const tree = read('base: &b {x: 1, y: 2}\nuse:\n  <<: *b\n  y: 3\n');
    const use = tree.kind === 'map' ? tree.fields.get('use')?.value : undefined;
    expect(use === undefined ? [] : keys(use).toSorted()).toEqual(['x', 'y']);
    expect(use?.kind === 'map' ? use.fields.get('y')?.value : null).toMatchObject({ value: 3 });
  });

  it('reads several documents, and skips empty ones', () => {
    expect(readTrees('a.yaml', 'a: 1\n---\n---\nb: 2\n').trees.map(keys)).toEqual([['a'], ['b']]);
  });

  const at = (line: number, column: number): object => ({ file: 'a.yaml', line, column });
  const scalar = (value: string | number | null, place: object): object => ({
    kind: 'scalar',
    at: place,
    value,
    text: `${value ?? ''}`,
    plain: true,
  });

  it('reads the parts of maps and lists, and an empty value at the place of its key', () => {
    expect(read("a:\nb: ~\nc: '1.10'\nd: [x, 0x10]\ne: |\n  t\n")).toEqual({
      kind: 'map',
      at: at(1, 1),
      fields: new Map([
        ['a', { keyAt: at(1, 1), value: scalar(null, at(1, 3)) }],
        ['b', { keyAt: at(2, 1), value: { ...scalar(null, at(2, 4)), text: '~' } }],
        ['c', { keyAt: at(3, 1), value: { ...scalar('1.10', at(3, 4)), plain: false } }],
        [
          'd',
          {
            keyAt: at(4, 1),
            value: {
              kind: 'list',
              at: at(4, 4),
              items: [scalar('x', at(4, 5)), { ...scalar(16, at(4, 8)), text: '0x10' }],
            },
          },
        ],
        ['e', { keyAt: at(5, 1), value: { ...scalar('t\n', at(5, 4)), plain: false } }],
      ]),
    });
  });

  it('takes of a list of merged maps the first that has a field, and no part that is no map', () => {
    const tree = read('<<: [{x: 1}, 3, {x: 2, y: 3}]\nz: 4\n');
    const fields = tree.kind === 'map' ? [...tree.fields] : [];
    expect(
      fields.map(([name, { value }]) => [name, value.kind === 'scalar' && value.value]),
    ).toEqual([
      ['z', 4],
      ['x', 1],
      ['y', 3],
    ]);
  });

  it('reads true and false, and a key without a value as null at its own place', () => {
    expect(read('a: true\nb: false\n? c\n')).toMatchObject({
      fields: new Map([
        ['a', { keyAt: at(1, 1), value: { ...scalar(null, at(1, 4)), value: true, text: 'true' } }],
        [
          'b',
          { keyAt: at(2, 1), value: { ...scalar(null, at(2, 4)), value: false, text: 'false' } },
        ],
        ['c', { keyAt: at(3, 3), value: scalar(null, at(3, 3)) }],
      ]),
    });
  });

  it('takes a lone text for a document, and null for an empty one', () => {
    expect(readTrees('a.yaml', 'text\n').trees).toEqual([scalar('text', at(1, 1))]);
    expect(readTrees('a.yaml', '# nothing\n').trees).toEqual([]);
    expect(readTrees('a.yaml', 'null\n')).toEqual({ trees: [], problems: [] });
  });

  it('refuses keys that are deeper than 100 levels', () => {
    const { problems } = readTrees('a.yaml', `${'? '.repeat(101)}a\n`);
    expect(problems.map(({ message }) => message)).toEqual([
      'This text is not read: it is deeper than 100 levels.',
    ]);
  });

  it('takes a quoted << for the name of a field', () => {
    expect(keys(read('"<<": {x: 1}\n'))).toEqual(['<<']);
  });

  it.each(['', '# c\n', 'null\n', '---\n'])('reads no tree of %j', (text) => {
    expect(readTrees('a.yaml', text)).toEqual({ trees: [], problems: [] });
  });

  it('reads the documents around one that is no YAML', () => {
    const { trees, problems } = readTrees('a.yaml', 'a: 1\n---\nb: [\n---\nc: 2\n');
    expect(trees.map(keys)).toEqual([['a'], ['c']]);
    expect(problems.map((one) => one.at)).toEqual([at(4, 1)]);
  });

  it.each([
    ['a: *none', at(1, 4), 'This text is not read: *none refers to no earlier anchor'],
    ['a: &a\n  b: *a\n', at(2, 3), 'This text is not read: it is deeper than 100 levels'],
    ['x'.repeat(4_194_305), at(1, 1), 'This text is not read: it has more than 4194304 characters'],
    [manyParts(100), at(1, 2_001), 'This text is not read: it has more than 100000 parts'],
    [
      'a: 1\nb: c: 2\n',
      at(2, 4),
      'This is neither YAML nor JSON: Nested mappings are not allowed in compact mappings at line 2, column 4',
    ],
  ])('says why it refuses a text: %#', (text, place, why) => {
    expect(readTrees('a.yaml', text)).toEqual({
      trees: [],
      problems: [
        {
          code: 'LHG030',
          severity: 'error',
          at: place,
          message: `${why}.`,
          next: 'Correct the text at this place.',
        },
      ],
    });
  });

  it('reads a text of as many characters as it may have', () => {
    expect(readTrees('a.yaml', '#'.repeat(4_194_304)).problems).toEqual([]);
  });

  it('refuses a text that is deeper than the stack', () => {
    for (const text of ['['.repeat(1_000_000), '- ? '.repeat(50_000)])
      expect(readTrees('a.yaml', text).problems).toMatchObject([
        { code: 'LHG030', message: expect.stringContaining('deeper than 100 levels') },
      ]);
  });

  it('reads a value with a tag that JSON does not have as its text', () => {
    const value = { kind: 'scalar', value: 'aGk=', text: 'aGk=' };
    expect(read('a: !!binary aGk=\n')).toMatchObject({
      fields: new Map([
        ['a', { keyAt: at(1, 1), value: { ...value, at: at(1, 13), plain: true } }],
      ]),
    });
    expect(read('!!omap [a: 1]\n')).toMatchObject({ kind: 'list', items: [{ kind: 'map' }] });
  });

  it('takes a key that is no scalar for the field without a name', () => {
    expect(keys(read('? [a]\n: 1\n'))).toEqual(['']);
  });

  it('reads 100 levels and nearly as many parts as it may have', () => {
    expect(readTrees('a.yaml', `${'['.repeat(101)}${']'.repeat(101)}`).problems).toEqual([]);
    expect(readTrees('a.yaml', manyParts(98)).problems).toEqual([]);
  });

  it('refuses alias bombs, cycles, deep nesting and invalid YAML', () => {
    const bomb = Array.from({ length: 12 }, (_, level) =>
      level === 0
        ? 'a0: &a0 [x,x,x,x,x,x]'
        : `a${level}: &a${level} [${Array(6)
            .fill(`*a${level - 1}`)
            .join(',')}]`,
    ).join('\n');
    for (const text of [bomb, `a: ${'['.repeat(200)}${']'.repeat(200)}`, '{', 'a: *none'])
      expect(
        readTrees('a.yaml', text).problems.map(({ code }) => code),
        text,
      ).toEqual(['LHG030']);
    const cyclic = readTrees('a.yaml', 'a: &a\n  b: *a\n');
    expect(cyclic.problems).toHaveLength(1);
  });
});

const nextOf = (text: string): string | undefined => {
  const [problem] = readDocuments('a.yaml', text).problems;
  return problem?.next;
};

describe('readDocuments', () => {
  it.each([
    ['a: [1', 'Correct the text at this place.'],
    [
      'pods:\n  -name: a\n    -container: b\n',
      'Put a space after the dash of each item of the list: "- name: a".',
    ],
    ['a: “b”: c\n', 'Write straight quotes, " or \', instead of the typographic ones.'],
    [
      `pods:\n  -name: ${'a'.repeat(80)}\n    -container: b\n`,
      `Put a space after the dash of each item of the list: "- name: ${'a'.repeat(54)}…".`,
    ],
  ])('names the fix for the invalid YAML %j', (text, next) => {
    expect(nextOf(text)).toBe(next);
  });
});

describe('yamlAdvice', () => {
  const blank = (item: string): string =>
    `Put a space after the dash of each item of the list: "- ${item}".`;

  it.each([
    ['a: 1\n\tb: 2\n', 5, 'Indent with spaces: YAML does not allow tabs there.'],
    ['a: 1\n  \tb: 2\n', 5, 'Indent with spaces: YAML does not allow tabs there.'],
    ['a:\tb\n', 0, 'Correct the text at this place.'],
    ['x: 1\n -name: a \n', 6, blank('name: a')],
    ['x: 1\n-name: a\n', 0, blank('name: a')],
    ['-name: a\nx: 1\ny: 2\n', 11, 'Correct the text at this place.'],
    ['x: y -name: a\n', 0, 'Correct the text at this place.'],
    [`-n: ${'a'.repeat(57)}`, 0, blank(`n: ${'a'.repeat(57)}`)],
    ['', 0, 'Correct the text at this place.'],
    [
      'a\0: [',
      0,
      'Name a text file in UTF-8: this one has NUL characters, as binary files and texts in UTF-16 have.',
    ],
  ])('of %j at %i is "%s"', (text, offset, advice) => {
    expect(yamlAdvice(text, offset)).toBe(advice);
  });
});
