import { describe, expect, it } from 'vitest';
import { readConfig } from './config-text.ts';
import { readConfiguredHooks, type ConfiguredHooks } from './configured-hooks.ts';

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
