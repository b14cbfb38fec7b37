import { describe, expect, it, onTestFinished, test, vi } from 'vitest';

import { readDocuments } from './located-document.ts';

const FIRST = 'a: 1\nlist:\n  - name: x\n    port: 2\n';

describe('readDocuments', () => {
  it('locates values and keys in every document', () => {
    const { documents } = readDocuments('m.yaml', `# first\n---\n${FIRST}---\n${FIRST}`);
    const places = documents.map((one) => [
      one.positionOf(['list', 0, 'port']),
      one.positionOfKey(['list', 0, 'port']),
      one.positionOf(['list', 0, 'absent']),
    ]);
    const at = (line: number, column: number): object => ({ file: 'm.yaml', line, column });
    expect(places).toEqual([
      [at(6, 11), at(6, 5), at(5, 5)],
      [at(11, 11), at(11, 5), at(10, 5)],
    ]);
  });

  it.each([
    ['the line ends of Windows', `${FIRST}---\n${FIRST}`.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${FIRST}---\n${FIRST}`],
    ['a document end', `${FIRST}...\n${FIRST}`],
    ['a directive', `%YAML 1.2\n---\n${FIRST}---\n${FIRST}`],
  ])('reads two documents with %s', (_title, text) => {
    const { documents, problems } = readDocuments('m.yaml', text);
    const value = { a: 1, list: [{ name: 'x', port: 2 }] };
    expect([documents.map((one) => one.value), problems]).toEqual([[value, value], []]);
  });

  it('reads the other documents where one cannot be read', () => {
    const { documents, problems } = readDocuments('m.yaml', `${FIRST}---\na: [\n---\nb: 2\n`);
    expect(documents.map(({ value }) => value)).toEqual([
      { a: 1, list: [{ name: 'x', port: 2 }] },
      { b: 2 },
    ]);
    expect(problems.map(({ code, at }) => [code, at?.line])).toEqual([['LHG030', 7]]);
  });

  test.each([
    ['nested deeper than 200 levels', `a: ${'['.repeat(201)}${']'.repeat(201)}`, 'LHM030'],
    ['nested 201 levels deep', `${'['.repeat(201)}${']'.repeat(201)}`, 'LHM030'],
    ['nested deeper than the stack', '['.repeat(1_000_000), 'LHM030'],
    ['with keys nested deeper than the stack', '- ? '.repeat(50_000), 'LHM030'],
    ['with more anchors than the stack has room', '&a '.repeat(50_000), 'LHM030'],
    ['with aliases of aliases', aliases(9), 'LHM031'],
    ['with a key twice', 'a: 1\nb: 2\na: 3\n', 'LHM032'],
    ['too long', 'x'.repeat(16_777_217), 'LHG031'],
  ])('refuses a document %s by one problem', (_title, text, code) => {
    const { documents, problems } = readDocuments('m.yaml', text);
    expect([documents, problems.map((one) => one.code)]).toEqual([[], [code]]);
  });

  it('reads a document that is nested 200 levels deep', () => {
    const text = `${'['.repeat(200)}x${']'.repeat(200)}`;
    expect(readDocuments('m.yaml', text).problems).toEqual([]);
  });

  const at = (line: number, column: number): object => ({ file: 'm.yaml', line, column });
  const deep = {
    code: 'LHM030',
    message: 'Maps and lists are nested in each other more than 200 levels deep.',
    next: 'Look for brackets that are not closed, or generate the file again.',
  };

  it.each([
    [`a: ${'['.repeat(201)}${']'.repeat(201)}`, { ...deep, at: at(1, 204) }],
    [`a: 1\n---\n${'['.repeat(1_000_000)}`, { ...deep, at: at(3, 202) }],
    [
      `a: 1\n---\n${aliases(9)}`,
      {
        code: 'LHM031',
        at: at(2, 1),
        message: 'One part of this document appears more than 100 times, by aliases.',
        next: 'Write the parts out, or use fewer aliases of aliases.',
      },
    ],
    [
      'a: 1\nlong-key: 2\nlong-key: 3\n',
      {
        code: 'LHM032',
        at: at(3, 1),
        message: 'The key long-key is in this map twice.',
        next: 'Remove one of the two.',
      },
    ],
    [`"a b": 1\n"a b": 2\n`, { at: at(2, 1), message: 'The key "a b" is in this map twice.' }],
    ['x: {a, a}\n', { at: at(1, 8), message: 'The key a is in this map twice.' }],
    ['x: {"a":1, "a":2}\n', { at: at(1, 12), message: 'The key "a" is in this map twice.' }],
    [
      'a: 1\n---\nb: 1: 2\n',
      {
        at: at(3, 4),
        message:
          'This is neither YAML nor JSON: Nested mappings are not allowed in compact mappings at line 3, column 4.',
      },
    ],
    [
      'x'.repeat(16_777_217),
      {
        code: 'LHG031',
        at: at(1, 1),
        message: 'A manifest has at most 16777216 characters; this one has more.',
        next: 'Split the file, or name another one.',
      },
    ],
    [
      'a: 1: 2\n',
      {
        code: 'LHG030',
        at: at(1, 4),
        message:
          'This is neither YAML nor JSON: Nested mappings are not allowed in compact mappings at line 1, column 4.',
        next: 'Correct the text at this place.',
      },
    ],
    [
      'a: *b\n',
      {
        code: 'LHG030',
        at: at(1, 1),
        message:
          'This is neither YAML nor JSON: Unresolved alias (the anchor must be set before the alias): b.',
        next: 'Correct the text at this place.',
      },
    ],
  ])('says what is wrong where, and what to do: %#', (text, problem) => {
    expect(readDocuments('m.yaml', text).problems).toMatchObject([
      { severity: 'error', ...problem },
    ]);
  });

  const NUMBERS = 'a: 0644\nb: yes\nc: 2024-01-02\nd: 1:30\n';
  const MERGED = 'one: &one {p: 1, q: 2}\ntwo:\n  <<: *one\n  q: 3\n';

  it('reads numbers, words and merge keys as kubectl does, in its dialect', () => {
    const valueOf = (text: string): unknown =>
      readDocuments('m.yaml', text, 'kubectl').documents[0]?.value;
    expect(valueOf(NUMBERS)).toEqual({ a: 420, b: true, c: '2024-01-02', d: '1:30' });
    expect(valueOf(MERGED)).toEqual({ one: { p: 1, q: 2 }, two: { p: 1, q: 3 } });
  });

  it('reads them as YAML 1.2 without a dialect', () => {
    const valueOf = (text: string): unknown => readDocuments('m.yaml', text).documents[0]?.value;
    expect(valueOf(NUMBERS)).toEqual({ a: 644, b: 'yes', c: '2024-01-02', d: '1:30' });
    expect(valueOf(MERGED)).toMatchObject({ two: { '<<': { p: 1, q: 2 }, q: 3 } });
  });

  it('has for a part that is not there the place of the nearest one around it', () => {
    const [document] = readDocuments('m.yaml', '# c\na:\n  - b: 1\n    c:\n1: x\n').documents;
    const places = [[], ['a'], ['a', 0, 'c'], ['a', 1, 'd'], ['a', 0, 'b', 'x'], ['z'], [1]].map(
      (path) => [document?.positionOf(path), document?.positionOfKey(path)],
    );
    expect(places).toEqual([
      [at(2, 1), at(2, 1)],
      [at(3, 3), at(2, 1)],
      [at(4, 7), at(4, 5)],
      [at(3, 3), at(3, 3)],
      [at(3, 8), at(3, 8)],
      [at(2, 1), at(2, 1)],
      [at(5, 4), at(5, 1)],
    ]);
  });

  it('has for what is not in a document the place of its first line', () => {
    const { documents } = readDocuments('m.yaml', 'a: 1\n--- # c\nb: 2\n');
    expect(documents.map((document) => document.positionOf(['z']))).toEqual([at(1, 1), at(2, 1)]);
  });

  it('names the key that is twice in a map as it is written in a list of keys', () => {
    const { problems } = readDocuments('m.yaml', 'a:\n  ? b\n  ? b\n');
    expect(problems).toMatchObject([{ message: 'The key b is in this map twice.', at: at(3, 5) }]);
  });

  it.each([undefined, 'kubectl'] as const)(
    'lets the parser warn of nothing, in dialect %s',
    (dialect) => {
      const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
      onTestFinished(() => {
        warn.mockRestore();
      });
      const { documents } = readDocuments('m.yaml', '? {a: 1}\n: 2\n', dialect);
      expect(documents.map(({ value }) => value)).toEqual([{ '{ a: 1 }': 2 }]);
      expect(warn).not.toHaveBeenCalled();
    },
  );

  it('reads a text of as many characters as it may have', () => {
    expect(readDocuments('m.yaml', '#'.repeat(16_777_216)).problems).toEqual([]);
  });

  it('has nothing of an empty text', () => {
    expect(readDocuments('m.yaml', '')).toEqual({ documents: [], problems: [], inexact: [] });
  });

  it('reads 200 levels', () => {
    const text = `${'['.repeat(200)}x${']'.repeat(200)}`;
    expect(readDocuments('m.yaml', text).problems).toEqual([]);
  });
});

function aliases(levels: number): string {
  return Array.from({ length: levels }, (_, level) => {
    const below = Array.from({ length: 9 }, () => (level === 0 ? 'x' : `*a${level - 1}`));
    return `a${level}: &a${level} [${below.join(', ')}]\n`;
  }).join('');
}
