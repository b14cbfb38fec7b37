/** The complete problems and conditions of a hook file, as users read them. */
import { describe, expect, it } from 'vitest';

import {
  compile,
  container,
  hookFile,
  version1,
} from '../../../../test/fixtures/hooksd/hook-files.ts';
import type { Problem } from '../../../model/problem.ts';
import { problemsOf } from './check-hook.ts';
import type { ContainerFacts, HookFile } from './hook-file.ts';
import { literalFirst } from './literal-first.ts';
import { type Condition, matchHookFile } from './match.ts';
import { selectHooks, type PrestartMode } from './select.ts';

const matcherOf = literalFirst(compile);

function fileOf(more: Partial<HookFile>): HookFile {
  return {
    ...hookFile(version1({ always: true })),
    folder: '/hooks',
    name: 'a.json',
    positions: {},
    ...more,
  };
}

const at = { file: '/hooks/a.json', line: 1, column: 1 };
const full = 'Write the absolute path of the program.';

describe('the problems of a hook file', () => {
  const stagesOf =
    'prestart, createRuntime, createContainer, startContainer, poststart, poststop, precreate, postexit';
  const cases: readonly (readonly [Partial<HookFile>, Partial<Problem>])[] = [
    [
      { hook: { path: '' } },
      {
        code: 'LHC104',
        message: "The hook's path is required, and is missing or empty.",
        next: full,
      },
    ],
    [
      { hook: { path: 'bin/true' } },
      {
        code: 'LHC106',
        message: `The hook's path must be absolute, but is "bin/true".`,
        next: full,
      },
    ],
    [
      { hook: { path: '/a', timeout: 0 } },
      {
        code: 'LHC107',
        message: 'hook.timeout must be from 1 to 9223372036 seconds, but is 0.',
        next: 'Write a number of whole seconds, or remove the key for no deadline.',
      },
    ],
    [
      { stages: ['sometime'] },
      {
        code: 'LHC109',
        message: `A stage must be one of ${stagesOf}, but is "sometime".`,
        next: 'Write one of these names; they are case-sensitive.',
      },
    ],
  ];

  it.each(cases)(
    'of %j: name what was required, what was received and what to do (OCI-CASE34)',
    (more, problem) => {
      expect(problemsOf(fileOf(more), compile)).toEqual([{ severity: 'error', at, ...problem }]);
    },
  );

  it.each([1, 9_223_372_036])('are none for a timeout of %i s', (timeout) => {
    expect(problemsOf(fileOf({ hook: { path: '/a', timeout } }), compile)).toEqual([]);
  });

  it('OCI-CASE9: name each pattern that is none, with its place or that of what is around it', () => {
    const when = {
      combine: 'all' as const,
      annotations: [{ key: '[', value: 'fine' }],
      commands: ['fine', '('],
      annotationValues: ['(a', 'b'],
    };
    const positions = { when: { ...at, line: 3 }, 'when.commands[1]': { ...at, line: 7 } };
    const found = problemsOf(fileOf({ when, positions }), compile);
    expect(found.map((problem) => [problem.code, problem.at?.line, problem.next])).toEqual([
      ['LHC108', 3, 'Correct it; RE2 has no look-around and no back-references.'],
      ['LHC108', 3, 'Correct it; RE2 has no look-around and no back-references.'],
      ['LHC108', 7, 'Correct it; RE2 has no look-around and no back-references.'],
    ]);
    expect(found.map(({ message }) => message.split(' is not')[0])).toEqual([
      'The pattern "["',
      'The pattern "(a|b"',
      'The pattern "("',
    ]);
  });
});

describe('the warnings of stages', () => {
  const warnings = (stages: string[], prestart: PrestartMode): Partial<Problem>[] => {
    const files = [fileOf({ stages })];
    return [...selectHooks(files, container(), { matcherOf, prestart }).problems];
  };

  it('OCI-CASE21: say what becomes of a hook in prestart and createRuntime', () => {
    const both = (effect: string): object => ({
      code: 'LHC121',
      severity: 'warning',
      message: `"prestart" and "createRuntime" ${effect}.`,
      at,
      next: 'Name only createRuntime, or only prestart for runtimes older than OCI 1.0.2.',
    });
    expect(warnings(['prestart', 'createRuntime'], 'createRuntime')).toEqual([
      both('are one stage today; the hook is injected once, but Podman and CRI-O inject it twice'),
    ]);
    expect(warnings(['prestart', 'createRuntime'], 'keep')).toEqual([
      both('run one after the other; in this mode the hook runs in both'),
    ]);
  });

  it('name a stage that is repeated', () => {
    expect(warnings(['poststop', 'poststop'], 'keep')).toEqual([
      {
        code: 'LHC122',
        severity: 'warning',
        message:
          'The stage "poststop" is named twice: Lifehook injects the hook once, but Podman and CRI-O inject it twice.',
        at,
        next: 'Remove the repetition.',
      },
    ]);
  });
});

describe('the conditions of a traced match', () => {
  const trace = (when: HookFile['when'], facts: Partial<ContainerFacts>): Condition[] => {
    const seen: Condition[] = [];
    matchHookFile(fileOf({ when }), container(facts), {
      matcherOf,
      trace: (one) => seen.push(one),
    });
    return seen;
  };

  it('say why always and hasBindMounts hold or do not', () => {
    const one = { name: 'hasBindMounts', path: 'when.hasBindMounts', trials: [] };
    const mounts = (wanted: boolean, has: boolean): unknown =>
      trace({ combine: 'any', hasBindMounts: wanted }, { hasBindMounts: has })[0];
    expect(mounts(true, true)).toEqual({
      ...one,
      holds: true,
      reason: 'the container has bind mounts',
    });
    expect(mounts(true, false)).toEqual({
      ...one,
      holds: false,
      reason: 'the container has no bind mounts',
    });
    const never = { ...one, holds: false, reason: 'hasBindMounts is false, which never holds' };
    expect(mounts(false, true)).toEqual(never);
    expect(trace({ combine: 'all', always: true }, {})[0]).toMatchObject({
      reason: 'always is true',
      trials: [],
    });
  });

  it('show the joined pattern of annotation values', () => {
    const when = { combine: 'any', annotationValues: ['x', 'y'] } as const;
    const of = (value: string): unknown => trace(when, { annotations: { k: value } })[0];
    const condition = { name: 'annotations', path: 'when.annotationValues' };
    const trial = { pattern: 'x|y', on: 'annotation value' };
    expect(of('y')).toEqual({
      ...condition,
      holds: true,
      reason: 'an annotation has value "x|y"',
      trials: [{ ...trial, value: 'y', matched: true }],
    });
    expect(of('z')).toEqual({
      ...condition,
      holds: false,
      reason: 'no annotation has value "x|y"',
      trials: [{ ...trial, value: 'z', matched: false }],
    });
  });

  it('OCI-CASE8: say that process.args is empty, and where the condition is', () => {
    const when = { combine: 'all', commands: ['sh'] } as const;
    expect(trace(when, { args: [] })).toEqual([
      {
        name: 'commands',
        path: 'when.commands',
        holds: false,
        reason: 'process.args is empty',
        trials: [],
      },
    ]);
    expect(trace(when, { args: undefined })[0]?.trials).toEqual([]);
    const positions = { 'when.commands': { ...at, line: 9 } };
    expect(
      matchHookFile(fileOf({ when, positions }), container({ args: [] }), { matcherOf }),
    ).toEqual({
      kind: 'refused',
      problem: {
        code: 'LHC120',
        severity: 'error',
        message:
          'process.args must have at least one entry, since this hook file has a command condition.',
        at: { ...at, line: 9 },
        next: 'Give the container a command in process.args of its config.json.',
      },
    });
  });

  it('give the verdict its reason', () => {
    const reason = (when: HookFile['when']): unknown => {
      const verdict = matchHookFile(fileOf({ when }), container(), { matcherOf });
      return verdict.kind === 'refused' ? verdict : `${verdict.kind}: ${verdict.reason}`;
    };
    expect(reason({ combine: 'all', always: true })).toBe('match: every condition holds');
    expect(reason({ combine: 'all' })).toBe('noMatch: no condition holds');
    expect(reason({ combine: 'any', commands: ['nothing'] })).toBe('noMatch: no condition holds');
    const an = 'match: an annotation has key "k" and value "v"';
    const annotations = [{ key: 'k', value: 'v' }];
    const verdict = matchHookFile(
      fileOf({ when: { combine: 'any', annotations } }),
      container({ annotations: { k: 'v' } }),
      { matcherOf },
    );
    expect(verdict.kind === 'refused' ? '' : `${verdict.kind}: ${verdict.reason}`).toBe(an);
  });
});
