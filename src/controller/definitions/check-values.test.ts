/** The limits of names, labels, commands and ports, as Kubernetes and Linux have them (SNAP-R1, SNAP-R4). */
import { describe, expect, it } from 'vitest';

import { checkContainerName, checkLabelKey, checkLabels, checkObjectName } from './check-names.ts';
import { checkCommand, checkPort } from './check-values.ts';
import { fieldProblemMessage, type FieldProblem } from './field-problem.ts';

const isGood = (problems: FieldProblem[]): boolean => problems.length === 0;
const x = (length: number): string => 'x'.repeat(length);

describe('a name', () => {
  const name = (text: string): boolean => isGood(checkObjectName('spec.name', text, 'the claim'));

  it.each(['a', '0', 'a-b', 'a.b', 'a.b-c.d0', 'a--b.0', x(253)])(
    'of an object can be %s',
    (text) => {
      expect(name(text)).toBe(true);
    },
  );

  it.each([
    '-a',
    'a-',
    '.a',
    'a.',
    'a..b',
    'a.-b',
    'a.b-',
    'A',
    'a_b',
    'a b',
    'a.B',
    '\na',
    'a\n',
    x(254),
  ])('of an object is not %j', (text) => {
    expect(name(text)).toBe(false);
  });

  it('of a container has no dot, and at most 63 characters', () => {
    const container = (text: string): boolean => isGood(checkContainerName('c', text));
    expect(['a', 'a-0', x(63)].map(container)).toEqual([true, true, true]);
    expect(['', 'a.b', '-a', 'a-', 'A', x(64)].filter(container)).toEqual([]);
  });
});

describe('a label', () => {
  const key = (text: string): boolean => isGood(checkLabelKey('labels', text));
  const value = (text: string): boolean => isGood(checkLabels('labels', { a: text }));

  it('has a key of a name, which a DNS name and "/" can come before', () => {
    const good = ['a', 'A_b.c-0', x(63), 'a.b/c', `${x(63)}.b/${x(63)}`, `${x(253)}/a`];
    expect(good.filter((text) => !key(text))).toEqual([]);
    const bad = [
      '',
      '/',
      '/a',
      'a/',
      'a/b/c',
      x(64),
      `${x(254)}/a`,
      'A/b',
      'a_b/c',
      '-a',
      'a-',
      `b/${x(64)}`,
    ];
    expect(bad.filter((text) => key(text))).toEqual([]);
  });

  it('has a value of at most 63 characters, or an empty one', () => {
    expect(['', 'a', 'A_b.c-0', x(63)].filter((text) => !value(text))).toEqual([]);
    expect([x(64), '-a', 'a-', 'a b', 'a/b'].filter((text) => value(text))).toEqual([]);
  });
});

describe('a command', () => {
  const texts = (command: string[]): string[] =>
    checkCommand('command', command).map(fieldProblemMessage);

  it('has no typographic quotes around a word, and may have them inside', () => {
    expect(texts(['say', '“a b”'])).toEqual([
      'command[1]: Invalid value: "“a b”": the typographic quotes would become part of the argument; write "a b" with straight quotes',
    ]);
    expect(texts(['say', 'the “a”', '“a” is', 'it’s', '“'])).toEqual([]);
  });
});

describe('a port', () => {
  it('is a number from 1 to 65535, or an IANA name', () => {
    const port = (value: number | string): boolean => isGood(checkPort('port', value));
    const good = [1, 65_535, 'a', 'http', 'web-2', '0a', `a${'0'.repeat(14)}`];
    expect(good.filter((value) => !port(value))).toEqual([]);
    const bad = [0, 65_536, 1.5, '', '80', 'A', 'a-', '-a', 'a--b', 'a b', 'a!', '!a', x(16)];
    expect(bad.filter((value) => port(value))).toEqual([]);
  });
});
