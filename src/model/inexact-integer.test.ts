import { expect, it } from 'vitest';

import { readDocuments } from './located-document.ts';

function placesIn(text: string): unknown[] {
  const { inexact } = readDocuments('m.yaml', text, 'kubectl');
  return inexact.map(({ at }) => [at?.line, at?.column]);
}

it.each([
  ['9007199254740993', true],
  ['-9007199254740993', true],
  ['+9223372036854775807', true],
  // As a number it is equal, but it is written as 1152921504606847000.
  ['1152921504606846976', true],
  ['9007199254740991', false],
  ['9007199254740994', false],
  // Kubernetes rounds it too.
  ['9223372036854775808', false],
  ['90071992547409930000', false],
  ['9007199254740993.0', false],
  ['19007199254740993e1', false],
  ['"9007199254740993"', false],
  ['"+9007199254740993"', false],
  ['v9007199254740993', false],
])('finds out whether the integer %s is written with another value: %s', (number, isChanged) => {
  expect(placesIn(`- a: ${number}`)).toEqual(isChanged ? [[1, 6]] : []);
});

it('says which integer it is, what it would become, and what to do', () => {
  const text = 'a: 1\nb: 9007199254740993\n';
  expect(readDocuments('m.yaml', text).inexact).toEqual([
    {
      code: 'LHM033',
      severity: 'error',
      at: { file: 'm.yaml', line: 2, column: 4 },
      message:
        'Lifehook reads integers of at most 53 bits: 9007199254740993 would become 9007199254740992.',
      next: 'Write an integer from -9007199254740991 to 9007199254740991, or apply this object with kubectl.',
    },
  ]);
});

it('finds the first one of each document', () => {
  const one = 'a: [1, 9007199254740993, 9007199254740995]\n';
  expect(placesIn(`${one}---\n- 1\n---\n${one}`)).toEqual([
    [1, 8],
    [5, 8],
  ]);
});

it.each([
  ['maximum: 9223372036854775807', []],
  ['minimum: -9223372036854775807', []],
  ['multipleOf: 9007199254740993', []],
  ['default: 9007199254740993', [[2, 10]]],
  ['enum: [9007199254740993]', [[2, 8]]],
  ['9007199254740993: maximum', [[2, 1]]],
])('reads the limits of a definition as floating-point numbers: %s', (field, places) => {
  expect(placesIn(`kind: CustomResourceDefinition\n${field}`)).toEqual(places);
});

it('reads a field of another kind as an integer, though it has the name of such a limit', () => {
  expect(placesIn('kind: Quota\nmaximum: 9007199254740993')).toEqual([[2, 10]]);
});
