import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../../../platform/byte-text.ts';
import { readConfig } from './config-text.ts';
import { checkOciHook, type ConfiguredHooks, readConfiguredHooks } from './configured-hooks.ts';

const read = (text: string): ConfiguredHooks => {
  const reading = readConfig(text);
  if (reading.kind === 'refused') throw new Error(reading.problem.message);
  return readConfiguredHooks({ file: '/b/config.json', text, config: reading.config });
};

describe('readConfiguredHooks', () => {
  it('returns each hook with its position, and leaves out null fields', () => {
    const { hooks, problems } = read(
      '{"hooks": {"poststop": [\n {"path": "/a"},\n {"path": "/\\u00e9", "args": null, "timeout": 3, "x": 1}]}}',
    );
    expect(problems).toEqual([]);
    expect(hooks).toEqual({
      poststop: [
        { hook: { path: '/a' }, source: at(2, 2) },
        { hook: { path: '/é', timeout: 3 }, source: at(3, 2) },
      ],
    });
  });

  it.each(['{}', '{"hooks":null}', '{"hooks":{}}', '{"hooks":{"prestart":null}}'])(
    'finds no hooks in %s',
    (text) => {
      const { hooks, problems } = read(text);
      expect([Object.values(hooks).flat(), problems]).toEqual([[], []]);
    },
  );

  it.each([
    ['a relative path (OCI-CASE34)', '{"path":"bin/a"}', 'LHC204'],
    ['a bare name (OCI-CASE34)', '{"path":"true"}', 'LHC204'],
    ['no path', '{"args":["a"]}', 'LHC204'],
    ['a timeout of 0 (OCI-CASE34)', '{"path":"/a","timeout":0}', 'LHC204'],
    ['a negative timeout (OCI-CASE34)', '{"path":"/a","timeout":-1}', 'LHC204'],
    ['a timeout that is no integer (OCI-CASE34)', '{"path":"/a","timeout":1.5}', 'LHC204'],
    ['arguments that are no list', '{"path":"/a","args":"x"}', 'LHC204'],
    ['a NUL in an argument', String.raw`{"path":"/a","args":["\u0000"]}`, 'LHC204'],
    ['an environment without names', '{"path":"/a","env":["=x"]}', 'LHC204'],
    ['an entry that is no object', '"/a"', 'LHC204'],
  ])('refuses %s, with its position', (_, entry, code) => {
    const { problems } = read(`{"hooks":{"prestart":[\n${entry}]}}`);
    expect(problems).toMatchObject([{ code, severity: 'error', at: { line: 2, column: 1 } }]);
    expect(problems[0]?.message).toContain('prestart hook #0');
  });

  it.each([
    ['two members for one stage', '{"hooks":{"prestart":[],"prestart":[]}}', 'LHC202'],
    ['hooks in another case', '{"Hooks":{}}', 'LHC202'],
    ['a stage that is no list', '{"hooks":{"prestart":{}}}', 'LHC203'],
    ['hooks that are no object', '{"hooks":[]}', 'LHC203'],
  ])('refuses %s', (_, text, code) => {
    expect(read(text).problems).toMatchObject([{ code }]);
  });

  it('reads 10 000 hooks', () => {
    const many = Array.from({ length: 10_000 }, () => ({ path: '/a' }));
    expect(read(JSON.stringify({ hooks: { prestart: many } })).hooks.prestart).toHaveLength(10_000);
  });
});

const at = (line: number, column: number): unknown => ({
  kind: 'file',
  file: '/b/config.json',
  line,
  column,
});

const messageOf = (entry: unknown): string => {
  const checked = checkOciHook('poststop hook #1', entry);
  if (checked.kind === 'hook') return JSON.stringify(checked.hook);
  const { code, message, next } = checked.problem;
  return `${code} ${message} ${next}`;
};

describe('a hook of a config.json', () => {
  it.each<[unknown, string]>([
    ['/a', 'LHC204 poststop hook #1 must be an object. Write {"path": "/…"}.'],
    [null, 'LHC204 poststop hook #1 must be an object. Write {"path": "/…"}.'],
    [
      {},
      'LHC204 "path" of poststop hook #1 must be an absolute path, but is missing. Write the absolute path of the program: "/usr/bin/…".',
    ],
    [
      { path: 'a' },
      'LHC204 "path" of poststop hook #1 must be an absolute path, but is "a". Write the absolute path of the program: "/usr/bin/…".',
    ],
    [
      { path: '/a', args: ['a', 1] },
      'LHC204 "args" of poststop hook #1 must be a list of strings without NUL, but is ["a",1]. Write the whole argv; its first entry is the name of the program.',
    ],
    [
      { path: '/a', env: ['A=b', '=b'] },
      'LHC204 "env" of poststop hook #1 must be a list of "NAME=value" strings without NUL, but is ["A=b","=b"]. Correct the list, or leave it out for an empty environment.',
    ],
    [
      { path: '/a', timeout: 0 },
      'LHC204 "timeout" of poststop hook #1 must be whole seconds from 1 to 9223372036, but is 0. Correct it, or leave it out for no deadline.',
    ],
    [
      { path: '/a', timeout: 9_223_372_037 },
      'LHC204 "timeout" of poststop hook #1 must be whole seconds from 1 to 9223372036, but is 9223372037. Correct it, or leave it out for no deadline.',
    ],
  ])(
    'is refused as %j, with the field, what it must be, what it is and what to do',
    (entry, message) => {
      expect(messageOf(entry)).toBe(message);
    },
  );

  it('is taken with what is given, and without what is null or unknown', () => {
    const whole = { path: '/a', args: ['a', ''], env: ['A=', 'B=c=d'], timeout: 1 };
    expect(messageOf({ ...whole, more: true })).toBe(JSON.stringify(whole));
    expect(messageOf({ path: '/a', args: null, env: [], timeout: 9_223_372_036 })).toBe(
      '{"path":"/a","env":[],"timeout":9223372036}',
    );
    const checked = checkOciHook('hook', { path: '/a', timeout: null });
    expect(checked).toStrictEqual({ kind: 'hook', hook: { path: '/a' } });
  });
});

describe('a config.json', () => {
  const readText = (text: string): string => {
    const reading = readConfig(encodeUtf8(text));
    return reading.kind === 'read' ? JSON.stringify(reading.config) : reading.problem.message;
  };

  it.each([
    ['\uFEFF{}', 'it begins with a byte order mark'],
    ['[]', 'its top level is not an object'],
    ['null', 'its top level is not an object'],
    ['"x"', 'its top level is not an object'],
  ])('is refused as %j, since %s', (text, why) => {
    expect(readText(text)).toBe(
      `config.json must be one JSON object without a byte order mark, but ${why}.`,
    );
  });

  it('is refused with the reason of the reader where it is no JSON, and read where it is', () => {
    expect(readText('{"a"}')).toMatch(/^config\.json must be one JSON object .*, but .+JSON.*\.$/u);
    expect(readText('{"a":"\u00e9"}')).toBe('{"a":"\u00e9"}');
  });
});
