/** What a hook of a config.json must look like, as the OCI runtime specification has it (OCI-CASE34). */
import { describe, expect, it } from 'vitest';

import { encodeUtf8 } from '../../../platform/byte-text.ts';
import { checkOciHook } from './check-oci-hook.ts';
import { readConfig } from './config-text.ts';

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
      'LHC204 "path" of poststop hook #1 must be an absolute path, but is missing. Name the program from the root folder on: "/usr/bin/…".',
    ],
    [
      { path: 'a' },
      'LHC204 "path" of poststop hook #1 must be an absolute path, but is "a". Name the program from the root folder on: "/usr/bin/…".',
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
  const read = (text: string): string => {
    const reading = readConfig(encodeUtf8(text));
    return reading.kind === 'read' ? JSON.stringify(reading.config) : reading.problem.message;
  };

  it.each([
    ['\uFEFF{}', 'it begins with a byte order mark'],
    ['[]', 'its top level is not an object'],
    ['null', 'its top level is not an object'],
    ['"x"', 'its top level is not an object'],
  ])('is refused as %j, since %s', (text, why) => {
    expect(read(text)).toBe(
      `config.json must be one JSON object without a byte order mark, but ${why}.`,
    );
  });

  it('is refused with the reason of the reader where it is no JSON, and read where it is', () => {
    expect(read('{"a"}')).toMatch(/^config\.json must be one JSON object .*, but .+JSON.*\.$/u);
    expect(read('{"a":"\u00e9"}')).toBe('{"a":"\u00e9"}');
  });
});
