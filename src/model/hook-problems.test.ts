import { describe, expect, it } from 'vitest';

import { hookProblems, type Issue } from './hook-problems.ts';
import type { Problem } from './problem.ts';

const source = { kind: 'file', file: 'lifehook.yaml', line: 3, column: 5 } as const;
const at = { file: 'lifehook.yaml', line: 3, column: 5 };
const knownKeys = { '': ['name', 'handler'], 'handler.list': ['seconds'] };

const problemsOf = (value: unknown, ...issues: readonly Issue[]): readonly Problem[] =>
  hookProblems({ issues, value, source, knownKeys });

const wrong = (path: readonly PropertyKey[], message = 'a string'): Issue => ({
  code: 'invalid_type',
  path,
  message,
});

const unknown = (path: readonly PropertyKey[], ...keys: readonly string[]): Issue => ({
  code: 'unrecognized_keys',
  path,
  message: '',
  keys,
});

describe('a value that breaks its rule', () => {
  it.each<[unknown, string]>([
    [true, 'true'],
    [null, 'null'],
    [7, '7'],
    ['text', '"text"'],
    ['-'.repeat(40), `"${'-'.repeat(40)}"`],
    ['-'.repeat(41), 'a string of 41 characters'],
    [[], 'a list of 0'],
    [[1, 2], 'a list of 2'],
    [{}, 'an empty object'],
    [{ a: 1, b: 2 }, 'an object with a, b'],
    [{ ['k'.repeat(41)]: 1 }, `an object with ${'k'.repeat(40)}…`],
    [{ ['k'.repeat(40)]: 1 }, `an object with ${'k'.repeat(40)}`],
    [() => 1, 'a function'],
  ])('is described: %o', (value, described) => {
    expect(problemsOf({ name: value }, wrong(['name']))).toEqual([
      {
        code: 'LHG020',
        severity: 'error',
        message: `name must be a string; received ${described}.`,
        path: 'name',
        at,
        next: 'Correct name.',
      },
    ]);
  });

  it('is to be added where it is absent, also below what is no object', () => {
    for (const value of [{}, { handler: null }, { handler: 'x' }]) {
      expect(problemsOf(value, wrong(['handler', 'sleep', 'seconds']))).toMatchObject([
        {
          message: 'handler.sleep.seconds must be a string; received nothing.',
          next: 'Add handler.sleep.seconds.',
        },
      ]);
    }
  });

  it('is called the hook where it is the whole', () => {
    expect(problemsOf('x', wrong([]))).toMatchObject([
      {
        path: '',
        message: 'the hook must be a string; received "x".',
        next: 'Correct the hook.',
      },
    ]);
  });

  it('is named by its place in a list, which begins the path or is within it', () => {
    const value = [{ list: ['x'] }];
    expect(problemsOf(value, wrong([0, 'list', 0]))).toMatchObject([
      { path: '[0].list[0]', message: '[0].list[0] must be a string; received "x".' },
    ]);
  });

  it('is never shown where it is the value of a header', () => {
    expect(problemsOf({ value: 's3cret' }, wrong(['x', 'value']))[0]?.message).toContain('nothing');
    expect(problemsOf({ x: { value: 's3cret' } }, wrong(['x', 'value']))[0]?.message).toBe(
      'x.value must be a string; received a string of 6 characters.',
    );
  });

  it('is compared with the words that it may be, of which numbers are none', () => {
    const issue = { ...wrong(['policy']), values: [1, 'Abort', 'Retry'] };
    expect(problemsOf({ policy: 'retri' }, issue)[0]?.next).toBe('Did you mean "Retry"?');
    expect(problemsOf({ policy: 'nothing' }, issue)[0]?.next).toBe('Correct policy.');
    expect(problemsOf({ policy: ['Retry'] }, issue)[0]?.next).toBe('Correct policy.');
  });
});

describe('an unknown key', () => {
  it('is named with what it holds and with the keys that are known there', () => {
    expect(problemsOf({ nam: 'x', zz: 1 }, unknown([], 'nam', 'zz'))).toEqual([
      {
        code: 'LHG021',
        severity: 'error',
        message: 'nam is not known: it must be one of name, handler; received "nam".',
        path: 'nam',
        at,
        next: 'Did you mean "name"?',
      },
      {
        code: 'LHG021',
        severity: 'error',
        message: 'zz is not known: it must be one of name, handler; received "zz".',
        path: 'zz',
        at,
        next: 'Remove it.',
      },
    ]);
  });

  it('is looked for in the object that it is in, whatever its place in a list', () => {
    expect(problemsOf({}, unknown(['handler', 'list', 3], 'second'))).toMatchObject([
      {
        path: 'handler.list[3].second',
        message:
          'handler.list[3].second is not known: it must be one of seconds; received "second".',
        next: 'Did you mean "seconds"?',
      },
    ]);
  });

  it('has no proposal where no keys are known', () => {
    expect(problemsOf({}, unknown(['elsewhere'], 'a'))).toMatchObject([{ next: 'Remove it.' }]);
  });
});

describe('the problems of a hook', () => {
  it('have a path and no place where the hook is an object', () => {
    const findings = { value: {}, source: { kind: 'object', object: 'Pod a' } as const, knownKeys };
    const [problem] = hookProblems({ ...findings, issues: [wrong(['name'])] });
    expect(problem).toMatchObject({ path: 'name' });
    expect(problem).not.toHaveProperty('at');
  });

  it('are reported once where two issues are equal, and 20 at most', () => {
    expect(problemsOf({}, wrong(['a']), wrong(['b']), wrong(['a']))).toHaveLength(2);
    const many = Array.from({ length: 30 }, (_, index) => wrong(['list', index]));
    expect(problemsOf({}, ...many)).toHaveLength(20);
  });

  it('are looked for among the first 200 issues', () => {
    const same = Array.from({ length: 199 }, () => wrong(['a']));
    const paths = problemsOf({}, ...same, wrong(['b']), wrong(['c'])).map(({ path }) => path);
    expect(paths).toEqual(['a', 'b']);
  });
});
