import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { compile, hookFile, version1 } from '../../../../test/fixtures/hooksd/hook-files.ts';
import { convertHookFile, type ConvertedFile } from './convert.ts';
import type { ContainerFacts, HookFile } from './hook-file.ts';
import { literalFirst } from './literal-first.ts';
import { matchHookFile, type Verdict } from './match.ts';

const matcherOf = literalFirst(compile);

function verdict(file: HookFile, facts: ContainerFacts): Verdict['kind'] {
  return matchHookFile(file, facts, { matcherOf }).kind;
}

function read({ text, name }: ConvertedFile): HookFile {
  return hookFile(text, name);
}

const word = fc.constantFrom('', 'a', 'sh', '/bin/sh', 'a\nb');
const patterns = fc.array(fc.constantFrom('', 'a', '^sh$', '.*/sh$', '(?i)A', 'b|c'), {
  maxLength: 3,
});
const content = fc.record(
  {
    hook: fc.constant('/bin/true'),
    stages: fc.subarray(['prestart', 'poststart', 'poststop', 'precreate']),
    arguments: fc.array(word, { maxLength: 2 }),
    cmds: patterns,
    annotations: patterns,
    hasbindmounts: fc.boolean(),
  },
  { requiredKeys: ['hook', 'stages'] },
);
const facts = fc.record({
  annotations: fc.dictionary(fc.constantFrom('a', 'k', '.'), word, { maxKeys: 3 }),
  args: fc.option(fc.array(word, { maxLength: 2 }), { nil: undefined }),
  hasBindMounts: fc.boolean(),
});

describe('convertHookFile', () => {
  test('writes one file of the same name, with keys in the order of the manual page', () => {
    const old = hookFile(
      { cmds: ['.*/init$'], stages: ['prestart'], arguments: ['-v'], hook: '/a' },
      '10-x.json',
    );
    expect(convertHookFile(old)).toEqual({
      kind: 'converted',
      file: {
        name: '10-x.json',
        text: `{
  "version": "1.0.0",
  "hook": {
    "path": "/a",
    "args": [
      "/a",
      "-v"
    ]
  },
  "when": {
    "commands": [
      ".*/init$"
    ]
  },
  "stages": [
    "prestart"
  ]
}
`,
      },
    });
  });

  test.each([
    [{ annotations: ['a', 'b'] }, { annotations: { '.*': 'a|b' } }],
    [{ annotations: [] }, { annotations: { '.*': '' } }],
    [{ hasbindmounts: true }, { hasBindMounts: true }],
    [{ hasbindmounts: false, cmds: ['x'] }, { commands: ['x'] }],
    [{ hasbindmounts: false, cmds: [] }, {}],
  ])('turns %j into %j', (conditions, when) => {
    const conversion = convertHookFile(hookFile({ hook: '/a', stages: [], ...conditions }));
    const text = conversion.kind === 'converted' ? conversion.file.text : '{}';
    expect(JSON.parse(text)).toMatchObject({ when });
    expect(Object.keys((JSON.parse(text) as { when: object }).when)).toEqual(Object.keys(when));
  });

  test('leaves a 1.0.0 file unchanged', () => {
    expect(convertHookFile(hookFile(version1({})))).toEqual({ kind: 'unchanged' });
  });

  test('refuses a file with several conditions, and offers one file per condition', () => {
    const old = hookFile(
      { hook: '/a', stages: ['poststop'], cmds: ['x'], annotations: ['y'], hasbindmounts: true },
      '10-x.json',
    );
    expect(convertHookFile(old)).toMatchObject({
      kind: 'refused',
      problem: { code: 'LHC150', severity: 'error', at: { line: 1, column: 1 } },
      remaining: [
        { name: '10-x.annotations.json' },
        { name: '10-x.commands.json' },
        { name: '10-x.bind-mounts.json' },
      ],
    });
  });

  test('keeps hook, stages and every verdict of a file that it converts', () => {
    let converted = 0;
    fc.assert(
      fc.property(
        content,
        fc.array(facts, { minLength: 3, maxLength: 10 }),
        (written, containers) => {
          const old = hookFile(written);
          const conversion = convertHookFile(old);
          if (conversion.kind !== 'converted') return;
          converted += 1;
          const made = read(conversion.file);
          expect({ ...made, when: 0, schema: 0, positions: 0 }).toEqual({
            ...old,
            when: 0,
            schema: 0,
            positions: 0,
          });
          for (const container of containers)
            expect(verdict(made, container)).toBe(verdict(old, container));
        },
      ),
      { numRuns: 3_000 },
    );
    expect(converted).toBeGreaterThan(500);
  });

  test('offers files for a refused one, at least one of which matches whenever the original matches', () => {
    let twice = 0;
    fc.assert(
      fc.property(content, facts, (written, container) => {
        const old = hookFile(written);
        const conversion = convertHookFile(old);
        // A container without arguments is excluded: a command condition refuses it, so the order of conditions would
        // matter.
        if (conversion.kind !== 'refused' || container.args?.length === 0) return;
        const matches = conversion.remaining.filter(
          (file) => verdict(read(file), container) === 'match',
        );
        expect(matches.length > 0).toBe(verdict(old, container) === 'match');
        if (matches.length > 1) twice += 1;
      }),
      { numRuns: 3_000 },
    );
    // The refusal is justified only if two of the files can match one container.
    expect(twice).toBeGreaterThan(0);
  });
});
