import { describe, expect, it } from 'vitest';

import { readDocuments } from './located-document.ts';

const nextOf = (text: string): string | undefined => {
  const [problem] = readDocuments('a.yaml', text).problems;
  return problem?.next;
};

describe('readDocuments', () => {
  it.each([
    ['a: [1', 'Correct the text at this place.'],
    [
      'pods:\n  -name: a\n    -container: b\n',
      'Put a blank after the dash of each item of the list: "- name: a".',
    ],
    ['a: “b”: c\n', 'Write straight quotes, " or \', instead of the typographic ones.'],
    [
      `pods:\n  -name: ${'a'.repeat(80)}\n    -container: b\n`,
      `Put a blank after the dash of each item of the list: "- name: ${'a'.repeat(54)}…".`,
    ],
  ])('names the fix for the invalid YAML %j', (text, next) => {
    expect(nextOf(text)).toBe(next);
  });
});
