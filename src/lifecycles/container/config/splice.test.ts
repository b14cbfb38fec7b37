import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OciHook } from '../points.ts';
import { spliceHooks, type Additions } from './splice.ts';

const ours: OciHook = { path: '/ours', args: ['ours', '--now'], timeout: 5 };
const additions: Additions = { poststart: [ours] };

const changed = (text: string, added: Additions = additions): string => {
  const result = spliceHooks(text, added);
  if (result.kind !== 'changed')
    throw new Error(`expected a change, got ${JSON.stringify(result)}`);
  return result.text;
};
const entry = '{"path":"/ours","args":["ours","--now"],"timeout":5}';

describe('spliceHooks adds', () => {
  it.each([
    ['to an empty object', '{}', `{"hooks":{"poststart":[${entry}]}}`],
    ['a member after the last', '{"a":1}\n', `{"a":1,"hooks":{"poststart":[${entry}]}}\n`],
    [
      'before the white space of a pretty text',
      '{\r\n\t"a": 1\r\n}',
      `{\r\n\t"a": 1,"hooks":{"poststart":[${entry}]}\r\n}`,
    ],
    [
      'in place of null hooks',
      '{"hooks" : null ,"a":1}',
      `{"hooks" : {"poststart":[${entry}]} ,"a":1}`,
    ],
    [
      'in place of a null stage',
      '{"hooks":{"poststart": null}}',
      `{"hooks":{"poststart": [${entry}]}}`,
    ],
    ['to an empty stage', '{"hooks":{"poststart":[ ]}}', `{"hooks":{"poststart":[${entry} ]}}`],
    ['a stage to empty hooks', '{"hooks":{ }}', `{"hooks":{"poststart":[${entry}] }}`],
    [
      'a stage after others, null ones left alone',
      '{"hooks":{"prestart":null }}',
      `{"hooks":{"prestart":null,"poststart":[${entry}] }}`,
    ],
    [
      'behind an existing hook (OCI-CASE23)',
      '{"hooks":{"poststart":[{"path":"/a", "x":1.0}\n]}}',
      `{"hooks":{"poststart":[{"path":"/a", "x":1.0},${entry}\n]}}`,
    ],
  ])('%s', (_, before, after) => {
    expect(changed(before)).toBe(after);
    expect(spliceHooks(after, additions)).toEqual({ kind: 'unchanged' });
  });

  it('to several stages at once, in any order of the stages in the text', () => {
    const before = '{"hooks":{"poststop":[{"path":"/b"}],"prestart":[{"path":"/a"}]},"z":0}';
    const both = { prestart: [ours], createRuntime: [ours], poststop: [ours] };
    expect(JSON.parse(changed(before, both))).toEqual({
      hooks: {
        poststop: [{ path: '/b' }, ours],
        prestart: [{ path: '/a' }, ours],
        createRuntime: [ours],
      },
      z: 0,
    });
  });

  it('nothing when there is nothing to add, even to a text that is no JSON', () => {
    expect(spliceHooks('{', {})).toEqual({ kind: 'unchanged' });
    expect(spliceHooks('{', { poststop: [] })).toEqual({ kind: 'unchanged' });
  });

  it('non-ASCII strings as UTF-8 bytes', () => {
    expect(changed('{}', { poststop: [{ path: '/ü€😀' }] })).toBe(
      `{"hooks":{"poststop":[{"path":"${Buffer.from('/ü€😀').toString('latin1')}"}]}}`,
    );
  });
});

describe('spliceHooks keeps', () => {
  it('every byte outside hooks: 64-bit integers, unknown fields, duplicates, escapes, odd bytes (OCI-CASE36)', () => {
    const head =
      '{"linux":{"seccomp":{"args":[18446744073709551615]}},"memory":9223372036854771712,' +
      '"dup":1,"dup":2,"\\u0061\\/":"\\"hooks\\"{[","raw":"\u00FF\u00C3\u00A9",\t"x":1e400,"n":null,"hooks":';
    const tail = '\r\n , "last" : -0.0 } \n';
    expect(changed(`${head}{"prestart":null}${tail}`)).toBe(
      `${head}{"prestart":null,"poststart":[${entry}]}${tail}`,
    );
  });

  it('an existing hook unchanged when an equal one is to be added', () => {
    const same =
      '{"hooks":{"poststart":[{"timeout":5,"args":["ours","--now"],"path":"/ours","env":null,"x":0}]}}';
    expect(spliceHooks(same, additions)).toEqual({ kind: 'unchanged' });
  });

  it.each([
    ['absent args and [path]', { path: '/a' }, { path: '/a', args: ['/a'] }, true],
    ['absent args and []', { path: '/a' }, { path: '/a', args: [] }, false],
    ['absent env and []', { path: '/a' }, { path: '/a', env: [] }, false],
    ['another argument', { path: '/a', args: ['a'] }, { path: '/a', args: ['b'] }, false],
    ['another timeout', { path: '/a', timeout: 1 }, { path: '/a', timeout: 2 }, false],
  ])('an equal hook, but adds a different one: %s', (...[, there, added, equal]) => {
    const result = spliceHooks(JSON.stringify({ hooks: { poststop: [there] } }), {
      poststop: [added],
    });
    expect(result.kind).toBe(equal ? 'unchanged' : 'changed');
  });

  it('a hook that is equal once escapes and UTF-8 bytes are decoded', () => {
    const added = { poststop: [{ path: '/é', args: ['Ã©'] }] };
    const bytes = '{"hooks":{"poststop":[{"path":"/\u00C3\u00A9","args":["\\u00c3\\u00a9"]}]}}';
    expect(spliceHooks(bytes, added)).toEqual({ kind: 'unchanged' });
  });

  it('two copies of a hook that is wanted twice, also when it runs again', () => {
    const twice = { poststop: [ours, ours] };
    const once = changed('{}', twice);
    expect(JSON.parse(once)).toEqual({ hooks: { poststop: [ours, ours] } });
    expect(spliceHooks(once, twice)).toEqual({ kind: 'unchanged' });
    expect(JSON.parse(changed(changed('{}', { poststop: [ours] }), twice))).toEqual(
      JSON.parse(once),
    );
  });

  it('all of 10 000 existing hooks when it adds 1 000 more', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({ path: `/h${index}` }));
    const more = Array.from({ length: 1_000 }, (_, index) => ({ path: `/n${index}` }));
    const text = changed(JSON.stringify({ hooks: { poststop: many } }), { poststop: more });
    expect(JSON.parse(text)).toEqual({ hooks: { poststop: [...many, ...more] } });
  });

  it('from failing on a text that is nested 100 000 levels deep', () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)},"b\\u0068":"hooks","hooks":{}}`;
    const result = spliceHooks(deep, additions);
    expect(
      result.kind === 'changed' ? result.text.endsWith(`"hooks":{"poststart":[${entry}]}}`) : true,
    ).toBe(true);
  });
});

describe('spliceHooks refuses', () => {
  it.each([
    ['text that is not JSON', '{"a":}', 'LHC201', undefined],
    ['a byte order mark', '\u00EF\u00BB\u00BF{}', 'LHC201', undefined],
    ['a list', '[]', 'LHC201', undefined],
    ['an empty file', '', 'LHC201', undefined],
    ['two hooks members', '{"hooks":{},\n "hooks":{}}', 'LHC202', [2, 2]],
    [
      'a second hooks member spelled with an escape',
      '{"hooks":{},"\\u0068ooks":{}}',
      'LHC202',
      [1, 13],
    ],
    [
      'hooks in another case, which runc reads and crun does not',
      '{\n"a":"\u00C3\u00A9","Hooks":{}}',
      'LHC202',
      [2, 9],
    ],
    ['the Kelvin sign, which Go takes for a k', '{"hoo\u00E2\u0084\u00AAs":{}}', 'LHC202', [1, 2]],
    ['two members of the stage', '{"hooks":{"poststart":[],"poststart":[]}}', 'LHC202', [1, 26]],
    ['the stage in another case', '{"hooks":{"postStart":[]}}', 'LHC202', [1, 11]],
    ['hooks that are a list', '{"hooks":[]}', 'LHC203', [1, 10]],
    ['hooks that are a number', '{"hooks":1}', 'LHC203', [1, 10]],
    ['a stage that is an object', '{"hooks":{"poststart":{}}}', 'LHC203', [1, 23]],
  ])('%s', (...[, text, code, at]) => {
    const result = spliceHooks(text, additions);
    expect(result).toMatchObject({ kind: 'refused', problem: { code, severity: 'error' } });
    if (at === undefined || result.kind !== 'refused') return;
    expect([result.problem.at?.line, result.problem.at?.column]).toEqual(at);
  });

  it('a list, and says what to do', () => {
    expect(spliceHooks('[]', additions)).toMatchObject({
      problem: {
        message:
          'config.json must be one JSON object without a byte order mark, but its top level is not an object.',
        next: 'Generate config.json again with the tool that created the bundle.',
      },
    });
  });

  it('no ambiguity in a stage that it does not touch', () => {
    const text = '{"hooks":{"prestart":[],"prestart":[{"path":"/a"}]}}';
    expect(changed(text)).toContain('"prestart":[],"prestart":[{"path":"/a"}],"poststart"');
  });

  it('or splices any bytes without throwing', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ',',
      ':',
      '"hooks"',
      'null',
      '1',
      ' ',
      '\u00FF',
      '\\u0068',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(['changed', 'unchanged', 'refused']).toContain(
          spliceHooks(pieces.join(''), additions).kind,
        );
      }),
      { numRuns: 2000 },
    );
  });
});
