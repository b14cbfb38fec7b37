import { describe, expect, it } from 'vitest';

import { readDocuments } from './located-document.ts';
import { yamlAdvice } from './yaml-advice.ts';

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

describe('yamlAdvice', () => {
  const blank = (item: string): string =>
    `Put a blank after the dash of each item of the list: "- ${item}".`;

  it.each([
    ['a: 1\n\tb: 2\n', 5, 'Indent with blanks: YAML does not allow tabs there.'],
    ['a: 1\n  \tb: 2\n', 5, 'Indent with blanks: YAML does not allow tabs there.'],
    ['a:\tb\n', 0, 'Correct the text at this place.'],
    ['x: 1\n -name: a \n', 6, blank('name: a')],
    ['x: 1\n-name: a\n', 0, blank('name: a')],
    ['-name: a\nx: 1\ny: 2\n', 11, 'Correct the text at this place.'],
    ['x: y -name: a\n', 0, 'Correct the text at this place.'],
    [`-n: ${'a'.repeat(57)}`, 0, blank(`n: ${'a'.repeat(57)}`)],
    ['', 0, 'Correct the text at this place.'],
  ])('of %j at %i is "%s"', (text, offset, advice) => {
    expect(yamlAdvice(text, offset)).toBe(advice);
  });
});
