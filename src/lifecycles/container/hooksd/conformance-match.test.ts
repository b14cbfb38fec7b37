/** The conformance cases about matching, order and stages; each test names its case by number. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  compile,
  container,
  hookFile,
  version1,
} from '../../../../test/fixtures/hooksd/hook-files.ts';
import type { ContainerFacts } from './hook-file.ts';
import { literalFirst } from './literal-first.ts';
import { matchHookFile, type Condition } from './match.ts';
import { inInjectionOrder, lowerCase } from './resolve.ts';
import { selectHooks, type PrestartMode, type Selection } from './select.ts';

const matcherOf = literalFirst(compile);

function verdict(content: object, facts: Partial<ContainerFacts> = {}): string {
  return matchHookFile(hookFile(content), container(facts), { matcherOf }).kind;
}

function version0(conditions: object): object {
  return { hook: '/bin/true', stages: ['createRuntime'], ...conditions };
}

describe('1.0.0: every condition has to hold', () => {
  test('OCI-CASE5: an empty "when" never matches', () => {
    expect(verdict(version1({}), { hasBindMounts: true })).toBe('noMatch');
    expect(verdict(version1({ annotations: {}, commands: [] }))).toBe('noMatch');
  });

  test('OCI-CASE6: always:false and hasBindMounts:false never match', () => {
    expect(verdict(version1({ always: false, commands: ['sh'] }))).toBe('noMatch');
    expect(verdict(version1({ always: true, commands: ['sh'] }))).toBe('match');
    for (const hasBindMounts of [true, false]) {
      expect(verdict(version1({ hasBindMounts: false }), { hasBindMounts })).toBe('noMatch');
      expect(verdict(version1({ hasBindMounts: false, always: true }), { hasBindMounts })).toBe(
        'noMatch',
      );
    }
    expect(verdict(version1({ hasBindMounts: true }), { hasBindMounts: true })).toBe('match');
    expect(verdict(version1({ hasBindMounts: true, always: true }))).toBe('noMatch');
  });

  test('OCI-CASE7: of two annotation pairs both have to be satisfied', () => {
    const pairs = version1({ annotations: { '^a$': 'x', '^b$': 'y' } });
    expect(verdict(pairs, { annotations: { a: 'x' } })).toBe('noMatch');
    expect(verdict(pairs, { annotations: { a: 'x', b: 'y' } })).toBe('match');
  });

  test('OCI-CASE7: key and value have to match in the same annotation', () => {
    const pair = version1({ annotations: { '^a$': '^x$' } });
    expect(verdict(pair, { annotations: { a: 'y', b: 'x' } })).toBe('noMatch');
    expect(verdict(pair, { annotations: { b: 'x', a: 'x' } })).toBe('match');
  });

  test('one annotation may serve several pairs', () => {
    const pairs = version1({ annotations: { a: 'x', '.*': 'x' } });
    expect(verdict(pairs, { annotations: { a: 'x' } })).toBe('match');
  });
});

describe('0.1.0: one condition is enough', () => {
  test('no condition never matches', () => {
    expect(verdict(version0({}), { hasBindMounts: true })).toBe('noMatch');
  });

  test('OCI-CASE7: one satisfied condition of several is a match', () => {
    const file = version0({ annotations: ['^x$'], cmds: ['nothing'], hasbindmounts: true });
    expect(verdict(file)).toBe('noMatch');
    expect(verdict(file, { annotations: { any: 'x' } })).toBe('match');
    expect(verdict(file, { hasBindMounts: true })).toBe('match');
    expect(verdict(file, { args: ['/nothing'] })).toBe('match');
  });

  test('annotation patterns look at values only, and an empty list matches any annotation', () => {
    expect(verdict(version0({ annotations: ['x'] }), { annotations: { x: '' } })).toBe('noMatch');
    expect(verdict(version0({ annotations: [] }), { annotations: {} })).toBe('noMatch');
    expect(verdict(version0({ annotations: [] }), { annotations: { k: 'v' } })).toBe('match');
  });

  test('annotation patterns are joined to one pattern, so that a flag reaches into the next', () => {
    const file = version0({ annotations: ['(?i)x', 'y'] });
    expect(verdict(file, { annotations: { k: 'Y' } })).toBe('match');
    expect(verdict(version0({ annotations: ['(x', 'y)'] }), { annotations: { k: 'y' } })).toBe(
      'match',
    );
  });

  test('hasbindmounts:false is ignored', () => {
    expect(verdict(version0({ hasbindmounts: false, cmds: ['sh'] }))).toBe('match');
    expect(verdict(version0({ hasbindmounts: false }))).toBe('noMatch');
  });
});

describe('commands', () => {
  test.each([version1({ commands: ['^/bin/sh$'] }), version0({ cmds: ['^/bin/sh$'] })])(
    'OCI-CASE8: %j looks at process.args[0] only',
    (file) => {
      expect(verdict(file, { args: ['/bin/sh', '-c'] })).toBe('match');
      expect(verdict(file, { args: ['/bin/shell'] })).toBe('noMatch');
      expect(verdict(file, { args: ['/bin/env', '/bin/sh'] })).toBe('noMatch');
    },
  );

  test('OCI-CASE8: without a process the condition is left out', () => {
    expect(verdict(version1({ commands: ['sh'] }), { args: undefined })).toBe('noMatch');
    expect(verdict(version0({ cmds: ['sh'] }), { args: undefined })).toBe('noMatch');
    expect(verdict(version1({ always: true, commands: ['nothing'] }), { args: undefined })).toBe(
      'match',
    );
  });

  test('OCI-CASE8: empty args refuse the container, unless the verdict was found before', () => {
    const args: string[] = [];
    const file = hookFile(version1({ commands: ['sh'] }));
    expect(matchHookFile(file, container({ args }), { matcherOf })).toMatchObject({
      kind: 'refused',
      problem: {
        code: 'LHC120',
        message: expect.stringContaining('process.args must have at least one entry') as string,
      },
    });
    expect(verdict(version1({ always: false, commands: ['sh'] }), { args })).toBe('noMatch');
    expect(
      verdict(version0({ hasbindmounts: true, cmds: ['sh'] }), { args, hasBindMounts: true }),
    ).toBe('match');
    expect(verdict(version0({ hasbindmounts: true, cmds: ['sh'] }), { args })).toBe('refused');
  });

  test('OCI-CASE9: (?i) works as in RE2', () => {
    expect(verdict(version1({ commands: ['(?i)SH$'] }))).toBe('match');
  });
});

describe('values with line ends', () => {
  test.each([
    ['^v$', 'v\n', 'noMatch'],
    ['^v.x$', 'v\nx', 'noMatch'],
    ['^v.x$', 'v\rx', 'match'],
    ['^v.*x$', 'v\nx', 'noMatch'],
    ['^v.*x$', 'v\r\u{2028}x', 'match'],
    ['v$', 'x\nv', 'match'],
    ['^v', 'x\nv', 'noMatch'],
  ])('OCI-CASE11: %j against %j is a %s', (pattern, value, kind) => {
    expect(verdict(version1({ annotations: { k: pattern } }), { annotations: { k: value } })).toBe(
      kind,
    );
  });
});

describe('a traced match', () => {
  function trace(content: object, facts: Partial<ContainerFacts>): Condition[] {
    const seen: Condition[] = [];
    matchHookFile(hookFile(content), container(facts), {
      matcherOf,
      trace: (condition) => seen.push(condition),
    });
    return seen;
  }

  test('shows every condition with each pattern, the value tried and the result', () => {
    const when = { always: false, annotations: { '^a': 'x' }, commands: ['bash', 'sh'] };
    expect(trace(version1(when), { annotations: { b: 'x', ab: 'y' } })).toEqual([
      {
        name: 'always',
        path: 'when.always',
        holds: false,
        reason: 'always is false, which never holds',
        trials: [],
      },
      {
        name: 'annotations',
        path: 'when.annotations[0]',
        holds: false,
        reason: 'no annotation has key "^a" and value "x"',
        trials: [
          { pattern: '^a', on: 'annotation key', value: 'b', matched: false },
          { pattern: '^a', on: 'annotation key', value: 'ab', matched: true },
          { pattern: 'x', on: 'annotation value', value: 'y', matched: false },
        ],
      },
      {
        name: 'commands',
        path: 'when.commands',
        holds: true,
        reason: 'a command pattern matches "/bin/sh"',
        trials: [
          { pattern: 'bash', on: 'process.args[0]', value: '/bin/sh', matched: false },
          { pattern: 'sh', on: 'process.args[0]', value: '/bin/sh', matched: true },
        ],
      },
    ]);
  });

  test('says when the command condition is left out', () => {
    expect(trace(version1({ commands: ['sh'] }), { args: undefined })).toMatchObject([
      { holds: null, reason: 'the container has no process' },
    ]);
  });
});

describe('order', () => {
  test.each([
    [['02-another-hook.json', '01-UPPERCASE.json', '01-my-hook.json']],
    [['B.json', 'a.json', '_.json', '2.json', '10.json']],
    [['\u{1F600}.json', '\u{FFE0}.json']],
    [['aΣ.json', 'aς.json']],
    [['iz.json', 'İa.json']],
  ])('OCI-CASE20: %j is put in the opposite order', (names) => {
    expect(inInjectionOrder(names)).toEqual(names.toReversed());
  });

  test('names are in the order of their UTF-8 bytes in lower case', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', 'B', 'İ', 'Σ', '\u{E000}', '\u{1F600}', '\u{10FFFF}'),
    });
    fc.assert(
      fc.property(fc.array(name), (names) => {
        const keys = inInjectionOrder(names).map((one) => Buffer.from(lowerCase(one)));
        expect(keys).toEqual(keys.toSorted((a, b) => Buffer.compare(a, b)));
      }),
    );
  });

  test('names that differ only in case have a fixed order', () => {
    expect(inInjectionOrder(['a.json', 'A.json'])).toEqual(['A.json', 'a.json']);
  });
});

describe('selection', () => {
  const always = { always: true };

  function select(stages: string[], prestart: PrestartMode = 'createRuntime'): Selection {
    const files = [hookFile(version1(always, { stages }))];
    return selectHooks(files, container(), { matcherOf, prestart });
  }

  function filled(selection: Selection): Record<string, number> {
    const lists = Object.entries({ ...selection.stages, ...selection.extensions });
    return Object.fromEntries(
      lists.flatMap(([stage, { length }]) => (length === 0 ? [] : [[stage, length]])),
    );
  }

  test('OCI-CASE21: prestart hooks are injected into createRuntime, or into prestart in mode keep', () => {
    expect(filled(select(['prestart']))).toEqual({ createRuntime: 1 });
    expect(filled(select(['prestart'], 'keep'))).toEqual({ prestart: 1 });
  });

  test('OCI-CASE21: prestart and createRuntime inject once, with a warning', () => {
    const selection = select(['createRuntime', 'prestart']);
    expect(filled(selection)).toEqual({ createRuntime: 1 });
    expect(selection.problems).toMatchObject([{ code: 'LHC121', severity: 'warning' }]);
    const kept = select(['createRuntime', 'prestart'], 'keep');
    expect(filled(kept)).toEqual({ createRuntime: 1, prestart: 1 });
    expect(kept.problems).toMatchObject([{ code: 'LHC121' }]);
  });

  test('a stage that is named twice injects once, with a warning', () => {
    const selection = select(['poststop', 'poststart', 'poststop']);
    expect(filled(selection)).toEqual({ poststart: 1, poststop: 1 });
    expect(selection.problems).toMatchObject([{ code: 'LHC122', at: { line: 1 } }]);
  });

  test('OCI-CASE22: extension stages are kept apart', () => {
    const { stages, extensions } = select(['precreate', 'poststop', 'postexit']);
    expect(Object.values(stages).flat()).toHaveLength(1);
    expect(extensions.precreate).toHaveLength(1);
    expect(extensions.postexit).toHaveLength(1);
  });

  test('hooks of a stage keep the order of the files, and files that do not match are left out', () => {
    const files = ['a', 'b', 'c'].map((name) =>
      hookFile(version1({ always: name !== 'b' }, { hook: { path: `/${name}` } }), `${name}.json`),
    );
    const selection = selectHooks(files, container(), { matcherOf, prestart: 'keep' });
    expect(selection.stages.createRuntime.map(({ hook }) => hook.path)).toEqual(['/a', '/c']);
  });

  test('a match that refuses the container is an error of the selection', () => {
    const files = [hookFile(version1({ commands: ['sh'] })), hookFile(version1(always))];
    const selection = selectHooks(files, container({ args: [] }), { matcherOf, prestart: 'keep' });
    expect(selection.problems).toMatchObject([{ code: 'LHC120', severity: 'error' }]);
  });
});
