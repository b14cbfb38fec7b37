import { describe, expect, it, test } from 'vitest';

import { readDocuments } from './located-document.ts';
import { splitDocuments } from './split-documents.ts';

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
    ['nested deeper than the stack', '['.repeat(100_000), 'LHM030'],
    ['with aliases of aliases', aliases(9), 'LHM031'],
    ['with a key twice', 'a: 1\nb: 2\na: 3\n', 'LHM032'],
    ['too long', 'x'.repeat(16_777_217), 'LHG031'],
  ])('refuses a document %s by one problem', (_title, text, code) => {
    const { documents, problems } = readDocuments('m.yaml', text);
    expect([documents, problems.map((one) => one.code)]).toEqual([[], [code]]);
  });

  it('reads 200 levels', () => {
    const text = `${'['.repeat(200)}${']'.repeat(200)}`;
    expect(readDocuments('m.yaml', text).problems).toEqual([]);
  });
});

function aliases(levels: number): string {
  return Array.from({ length: levels }, (_, level) => {
    const below = Array.from({ length: 9 }, () => (level === 0 ? 'x' : `*a${level - 1}`));
    return `a${level}: &a${level} [${below.join(', ')}]\n`;
  }).join('');
}

describe('splitDocuments', () => {
  it('loses no character and counts lines, whatever is between the markers', () => {
    const text = '# c\n---\na: |\n  --- x\n  y\n---\n--- b\n---c: 1\n---\r\nd: 1\n';
    const parts = splitDocuments(text);
    expect(parts.map((one) => one.text).join('')).toBe(text);
    expect(parts).toEqual([
      { line: 0, text: '# c\n---\na: |\n  --- x\n  y\n' },
      { line: 5, text: '---\n' },
      { line: 6, text: '--- b\n---c: 1\n' },
      { line: 8, text: '---\r\nd: 1\n' },
    ]);
  });
});
