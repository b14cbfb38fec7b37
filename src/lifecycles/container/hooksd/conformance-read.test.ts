/** The conformance cases about reading one file; each test names its case by number. */
import { describe, expect, test } from 'vitest';

import type { Problem } from '../../../model/problem.ts';
import { reading } from '../../../../test/fixtures/hooksd/hook-files.ts';

function problems(content: unknown): readonly Problem[] {
  const result = reading(content);
  return result.ok ? [] : result.problems;
}

function codes(content: unknown): string[] {
  return problems(content).map(({ code }) => code);
}

function file(content: unknown): object {
  const result = reading(content);
  if (!result.ok) throw new Error(result.problems[0]?.message);
  const { schema, hook, when, stages } = result.file;
  return { schema, hook, when, stages };
}

const old = { hook: '/a/b/c', stages: ['prestart'] };

describe('reading 0.1.0', () => {
  test('OCI-CASE1: hook, stages and cmds are injected without argv', () => {
    expect(file({ ...old, cmds: ['sh'] })).toEqual({
      schema: '0.1.0',
      hook: { path: '/a/b/c' },
      when: { combine: 'any', commands: ['sh'] },
      stages: ['prestart'],
    });
  });

  test('OCI-CASE2: arguments follow the path in argv', () => {
    expect(file({ ...old, arguments: ['d', 'e'] })).toMatchObject({
      hook: { path: '/a/b/c', args: ['/a/b/c', 'd', 'e'] },
    });
    expect(file({ ...old, arguments: [] })).toMatchObject({ hook: { args: ['/a/b/c'] } });
  });

  test.each([
    ['stages', 'stage', ['poststop']],
    ['cmds', 'cmd', ['sh']],
    ['annotations', 'annotation', ['a', 'b']],
  ])(
    'OCI-CASE3: %s has the synonym %s, and both together are an error',
    (plural, singular, list) => {
      const base = plural === 'stages' ? { hook: '/a/b/c' } : old;
      expect(file({ ...base, [singular]: list })).toEqual(file({ ...base, [plural]: list }));
      const both = problems({ ...old, [plural]: list, [singular]: list });
      expect(both).toMatchObject([{ code: 'LHC105', at: { line: 1 } }]);
      expect(both[0]?.message).toContain(`"${singular}" and "${plural}"`);
    },
  );

  test('a synonym that is null counts as absent', () => {
    expect(file({ ...old, stage: null, cmd: ['sh'], cmds: null })).toMatchObject({
      when: { commands: ['sh'] },
    });
  });

  test('a file without hook and stages has both reported', () => {
    expect(codes({})).toEqual(['LHC104', 'LHC104']);
    expect(codes('null')).toEqual(['LHC104', 'LHC104']);
  });
});

describe('reading 1.0.0', () => {
  test('OCI-CASE5: an empty "when" loads', () => {
    expect(file({ version: '1.0.0', hook: { path: '/a' }, when: {}, stages: [] })).toEqual({
      schema: '1.0.0',
      hook: { path: '/a' },
      when: { combine: 'all' },
      stages: [],
    });
  });

  test.each([
    ['annotation key', { annotations: { '[': 'v' } }, '1:64'],
    ['annotation value', { annotations: { k: '[' } }, '1:68'],
    ['command', { commands: ['sh', '['] }, '1:66'],
  ])('OCI-CASE9: the pattern "[" in a %s is an error with its position', (_part, when, at) => {
    const [problem] = problems({ version: '1.0.0', hook: { path: '/a' }, when, stages: [] });
    expect(problem).toMatchObject({ code: 'LHC108', at: { file: '/hooks.d/a.json' } });
    expect(problem?.message).toContain('"["');
    expect(`${problem?.at?.line}:${problem?.at?.column}`).toBe(at);
  });

  test('OCI-CASE9: look-ahead is an error and (?i) is not', () => {
    const when = (pattern: string): object => ({ ...old, cmds: [pattern] });
    expect(codes(when('(?=x)'))).toEqual(['LHC108']);
    expect(codes(when('(?i)x'))).toEqual([]);
  });

  test.each(['bin/hook', 'hook', './hook'])(
    'OCI-CASE34: the path %j is refused, since it is not absolute',
    (path) => {
      expect(codes({ version: '1.0.0', hook: { path }, stages: [] })).toEqual(['LHC106']);
      expect(codes({ hook: path, stages: [] })).toEqual(['LHC106']);
    },
  );

  test.each([
    ['0', 'LHC107'],
    ['-1', 'LHC107'],
    ['9223372037', 'LHC107'],
    ['9223372036854775807', 'LHC107'],
    ['9223372036854775808', 'LHC102'],
    ['1.5', 'LHC102'],
    ['1.0', 'LHC102'],
    ['1e0', 'LHC102'],
    ['"1"', 'LHC102'],
  ])('OCI-CASE34: the timeout %s is refused', (timeout, code) => {
    const text = `{"version":"1.0.0","hook":{"path":"/a","timeout":${timeout}},"stages":[]}`;
    expect(problems(text)).toMatchObject([{ code, at: { line: 1, column: 50 } }]);
  });

  test('an empty path is reported as missing', () => {
    expect(codes({ version: '1.0.0', stages: [] })).toEqual(['LHC104']);
    expect(codes({ hook: '', stages: [] })).toEqual(['LHC104']);
  });

  test('an empty env is kept, and an empty args is dropped', () => {
    const hook = { path: '/a', args: [], env: [], timeout: null };
    expect(file({ version: '1.0.0', hook, stages: [] })).toMatchObject({
      hook: { path: '/a', env: [] },
    });
  });
});

describe('reading either schema', () => {
  test("OCI-CASE13: the document's second example lacks a comma, and the error says where", () => {
    const example = `{
    "hasbindmounts": true,
    "hook": "/usr/libexec/oci/hooks.d/oci-umount",
    "stages": [ "prestart" ]
    "arguments": [ "--debug" ]
}`;
    expect(problems(example)).toMatchObject([
      {
        code: 'LHC101',
        message: 'The file is not JSON: expected "," or "}", found a string.',
        at: { file: '/hooks.d/a.json', line: 5, column: 5 },
      },
    ]);
  });

  test.each(['"-1"', '"1.0"', '"2.0.0"'])('OCI-CASE14: version %s is not recognised', (version) => {
    expect(problems(`{"version":${version}}`)).toMatchObject([
      { code: 'LHC103', at: { column: 12 } },
    ]);
  });

  test.each(['"version":"",', '"version":null,', '"version":"0.1.0",', ''])(
    'a file with %s is 0.1.0',
    (version) => {
      expect(file(`{${version}"hook":"/a","stages":[]}`)).toMatchObject({ schema: '0.1.0' });
    },
  );

  test('OCI-CASE22: an unknown stage is an error; extension stages are known', () => {
    expect(problems({ ...old, stages: ['prestart', 'Prestart'] })).toMatchObject([
      { code: 'LHC109', at: { column: 39 } },
    ]);
    expect(codes({ ...old, stages: ['precreate', 'postexit'] })).toEqual([]);
  });

  test('a file over the size limit is refused unread', () => {
    expect(codes(`${' '.repeat(1_048_576)}x`)).toEqual(['LHC110']);
  });
});

describe("Go's view of JSON", () => {
  test('keys match in any case, also by Unicode folding; unknown keys are ignored', () => {
    expect(
      file('{"HOOK":"/a","\u{17F}tages":["poststop"],"cmd\u{17F}":["x"],"other":[{}]}'),
    ).toEqual(file({ hook: '/a', stages: ['poststop'], cmds: ['x'] }));
  });

  test('the last duplicate wins, and objects that are given twice merge', () => {
    const text = `{"version":"1.0.0","hook":{"path":"/a","timeout":1},"when":{"always":true},
      "hook":{"path":"/b"},"when":{"commands":["x"],"annotations":{"j":"u","k":"v"}},
      "When":{"annotations":{"k":"w","l":null}},"stages":["poststart"],"stages":["poststop"]}`;
    expect(file(text)).toEqual({
      schema: '1.0.0',
      hook: { path: '/b', timeout: 1 },
      when: {
        combine: 'all',
        always: true,
        commands: ['x'],
        annotations: [
          { key: 'j', value: 'u' },
          { key: 'k', value: 'w' },
          { key: 'l', value: '' },
        ],
      },
      stages: ['poststop'],
    });
  });

  test('a null item of a list is the empty text, or what an earlier duplicate had there', () => {
    expect(file({ ...old, cmds: [null] })).toMatchObject({ when: { commands: [''] } });
    expect(
      file('{"hook":"/a","stages":[],"cmds":["x","y"],"cmds":["z"],"cmds":[null,null]}'),
    ).toMatchObject({ when: { commands: ['z', 'y'] } });
  });

  test('a value of the wrong type is an error, even when a later duplicate is right', () => {
    expect(codes('{"hook":1,"hook":"/a","stages":[]}')).toEqual(['LHC102']);
    expect(codes([])).toEqual(['LHC102']);
    expect(codes({ version: 1 })).toEqual(['LHC102']);
  });
});
