import { describe, expect, it } from 'vitest';

import { splitDocuments } from './split-documents.ts';

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

  it('reads a long comment with CRLF line ends at the beginning', () => {
    const comment = '# licence\r\n\r\n'.repeat(2_000);
    const text = `${comment}---\r\na: 1\r\n`;
    expect(splitDocuments(text)).toEqual([{ line: 0, text }]);
    expect(splitDocuments(`${comment}a: 1\r\n`)).toHaveLength(1);
  });

  it.each<[string, ReturnType<typeof splitDocuments>]>([
    ['', [{ line: 0, text: '' }]],
    ['a: 1\n', [{ line: 0, text: 'a: 1\n' }]],
    ['---\na: 1\n', [{ line: 0, text: '---\na: 1\n' }]],
    ['# c\n\n%YAML 1.2\n---\na: 1\n', [{ line: 0, text: '# c\n\n%YAML 1.2\n---\na: 1\n' }]],
    [
      'a: 1\n\n---\nb: 2',
      [
        { line: 0, text: 'a: 1\n\n' },
        { line: 2, text: '---\nb: 2' },
      ],
    ],
    [
      '---\na: 1\n--- b\n---',
      [
        { line: 0, text: '---\na: 1\n' },
        { line: 2, text: '--- b\n' },
        { line: 3, text: '---' },
      ],
    ],
  ])('begins a document at each marker, after content only: %j', (text, parts) => {
    expect(splitDocuments(text)).toEqual(parts);
  });
});
