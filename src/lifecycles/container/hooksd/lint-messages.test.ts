/**
 * The complete messages of lint about a hook file: the required value, the received one, and the next step
 * (OCI-CASE34).
 */
import { describe, expect, it } from 'vitest';

import { compile, hookFile, version1 } from '../../../../test/fixtures/hooksd/hook-files.ts';
import { encodeUtf8 } from '../../../platform/byte-text.ts';
import { lintHookFile } from './lint.ts';

function lint(content: unknown, runtimeStages?: string[]): string[] {
  const text = encodeUtf8(typeof content === 'string' ? content : JSON.stringify(content));
  const source = { folder: '/d', name: 'a.json', text };
  return lintHookFile(source, { compile, ...(runtimeStages && { runtimeStages }) }).map(
    ({ code, severity, message, next }) => `${severity} ${code} ${message} ${next}`,
  );
}

const old = (more: object): object => ({ hook: '/a', stages: ['poststop'], ...more });
const always = (more: object): object => version1({ always: true }, more);
const hook = (more: object): object => always({ hook: { path: '/a', ...more } });
/** A file of version 1.0.0 with these texts in its hook and its conditions, where keys may be repeated. */
const written = (inHook: string, inWhen: string): string =>
  `{"version":"1.0.0","hook":{"path":"/a"${inHook}},"when":{${inWhen}},"stages":["poststop"]}`;

describe('a value of a wrong type', () => {
  it.each<[unknown, string, string]>([
    [[], 'The file must be an object, but is a list', 'an object'],
    [old({ hook: 5 }), 'hook.path must be a string, but is the number 5', 'a string'],
    [always({ hook: 'x' }), 'hook must be an object, but is the string "x"', 'an object'],
    [
      version1({ always: 'no' }),
      'when.always must be true or false, but is the string "no"',
      'true or false',
    ],
    [
      hook({ timeout: 1.5 }),
      'hook.timeout must be an integer of 64 bits, but is the number 1.5',
      'an integer of 64 bits',
    ],
    [
      hook({ args: {} }),
      'hook.args must be a list of strings, but is an object',
      'a list of strings',
    ],
    [
      old({ arguments: 5 }),
      'hook.arguments must be a list of strings, but is the number 5',
      'a list of strings',
    ],
    [
      old({ annotations: 5 }),
      'when.annotationValues must be a list of strings, but is the number 5',
      'a list of strings',
    ],
    [
      old({ hasbindmounts: 5 }),
      'when.hasBindMounts must be true or false, but is the number 5',
      'true or false',
    ],
    [version1([]), 'when must be an object, but is a list', 'an object'],
    [
      version1({ hasBindMounts: 5 }),
      'when.hasBindMounts must be true or false, but is the number 5',
      'true or false',
    ],
    [
      written('', '"annotations":{"a":"1","b":"2","a":5}'),
      'when.annotations[0].value must be a string, but is the number 5',
      'a string',
    ],
    [hook({ args: ['a', true] }), 'hook.args[1] must be a string, but is true', 'a string'],
    [
      version1({ annotations: [] }),
      'when.annotations must be an object of strings, but is a list',
      'an object of strings',
    ],
    [
      version1({ annotations: { a: 'x', b: 1 } }),
      'when.annotations[1].value must be a string, but is the number 1',
      'a string',
    ],
  ])('in %j is an error that names it', (content, message, wanted) => {
    expect(lint(content)[0]).toBe(
      `error LHC102 ${message}. Write ${wanted} here, or remove the key.`,
    );
  });

  it('is not a property that is missing', () => {
    const missing = (name: string): string =>
      `error LHC104 The property "${name}" is required and is not given. Add "${name}".`;
    expect(lint({ hook: '/a' })).toEqual([missing('stages')]);
    expect(lint(always({ stages: null }))).toEqual([missing('stages')]);
    expect(lint({ stages: ['poststop'] })).toEqual([missing('hook')]);
    expect(lint({})).toEqual([missing('hook'), missing('stages')]);
  });
});

describe('a key that is repeated, as Go reads it', () => {
  const read = (inHook: string, inWhen: string): object => {
    const { hook: one, when } = hookFile(written(inHook, inWhen));
    return { ...one, ...when };
  };

  it('has nothing but what is given', () => {
    expect(read('', '')).toStrictEqual({ path: '/a', combine: 'all' });
    const { hook: one, when } = hookFile(old({}));
    expect([one, when]).toStrictEqual([{ path: '/a' }, { combine: 'any' }]);
    expect(read(',"args":[]', '')).toStrictEqual({ path: '/a', combine: 'all' });
  });

  it.each([
    [',"path":null', { path: '/a' }],
    [',"timeout":5,"timeout":null', { path: '/a' }],
    [',"args":["x","y"],"args":["z"]', { path: '/a', args: ['z'] }],
    [',"args":["x","y"],"args":["z"],"args":[null,null]', { path: '/a', args: ['z', 'y'] }],
    [',"args":["x"],"args":[],"args":[null]', { path: '/a', args: [''] }],
    [',"args":["x"],"args":null,"args":[null]', { path: '/a', args: [''] }],
    [',"args":["x"],"args":null', { path: '/a' }],
    [',"ar\u212Bgs":["x"]', { path: '/a' }],
  ])('is %s', (inHook, expected) => {
    expect(read(inHook, '')).toStrictEqual({ ...expected, combine: 'all' });
  });

  it('merges maps, until null unsets them', () => {
    const annotations = (inWhen: string): unknown => hookFile(written('', inWhen)).when.annotations;
    const [first, second] = ['"annotations":{"a":"1","b":"2"}', '"annotations":{"b":null,"c":"3"}'];
    const pairs = (map: object): object[] =>
      Object.entries(map).map(([key, value]) => ({ key, value: String(value) }));
    expect(annotations(`${first},${second}`)).toEqual(pairs({ a: '1', b: '', c: '3' }));
    expect(annotations(`${first},"annotations":null,${second}`)).toEqual(pairs({ b: '', c: '3' }));
    expect(annotations(`${first},"annotations":null`)).toBeUndefined();
  });
});

describe('the warnings of lint', () => {
  it.each<[unknown, string]>([
    [
      version1({ always: false }),
      'LHC131 "always": false never holds, so the hook is never injected. Remove the key; or keep it, if it is there to switch the hook off.',
    ],
    [
      old({ hasbindmounts: false }),
      'LHC132 A bind mount condition of false has no effect, as if the key were absent. Remove the key; hooks.d cannot ask for containers without bind mounts.',
    ],
    [
      old({ annotations: [] }),
      'LHC133 An empty list of annotations matches every container that has any annotation. Remove the key, or name a pattern.',
    ],
    [
      old({ annotations: ['x', ''] }),
      'LHC134 The empty pattern matches everything. To match everything, write ".*"; to match only the empty text, write "^$".',
    ],
    [
      version1({ always: true, commands: ['x'] }),
      'LHC136 Every condition must match, so "always": true next to "commands" adds only containers without a process. Remove "always" to match only these commands, or remove "commands" to match every container.',
    ],
    [
      always({ stages: [] }),
      'LHC135 The list of stages is empty: the hook is never injected. Name a stage, or remove the file.',
    ],
    [
      hook({ args: ['-v'] }),
      'LHC142 args is the whole argv: "-v" becomes the name of the program (argv[0]), not an option. Begin args with the name of the program.',
    ],
    [
      hook({ env: ['LONG=a=b', 'A'] }),
      'LHC140 An entry of env must be NAME=value, but is "A". Write NAME=value.',
    ],
    [
      hook({ env: ['=a=b'] }),
      'LHC140 An entry of env must be NAME=value, but is "=a=b". Write NAME=value.',
    ],
    [
      version1({ commands: ['a\\d'] }),
      'LHC139 In the pattern "a\\\\d", \\d is a class or escape of RE2, which POSIX does not have. Write it in a way that RE2 and POSIX share, if other programs read this file.',
    ],
    [always({ 'x-y': 1 }), 'LHC137 The key "x-y" is not known here, and is ignored. Remove it.'],
    [
      '{"hook":"/a","STAGES":["poststop"],"cmds":["x"]}',
      'LHC138 The key "STAGES" is read as "stages", but only by readers that ignore case. Write "stages".',
    ],
    [
      '{"hook":"/a","hook":"/b","stages":["poststop"],"cmds":["x"]}',
      'LHC143 The key "hook" is given more than once: objects are merged, and of other values only the last one is used. Keep one of them.',
    ],
  ])('on %j are in full', (content, expected) => {
    expect(lint(content)).toEqual([`warning ${expected}`]);
  });

  it('name the stages of the runtime', () => {
    expect(lint(always({ stages: ['poststart'] }), ['prestart', 'poststop'])).toEqual([
      'warning LHC141 The runtime does not know the stage "poststart"; it knows prestart, poststop. Use a stage that it knows, or another runtime.',
    ]);
  });

  it('are none for an empty value of an annotation, and for what is only called like a list', () => {
    expect(lint(version1({ annotations: { a: '' } }))).toEqual([]);
    expect(lint(hook({ args: ['a', '-v'], env: [] }))).toEqual([]);
    expect(lint(hook({ args: [] }))).toEqual([]);
  });

  it('are none for characters inside of a class', () => {
    for (const pattern of ['[^?+]?', '[+?]', '[]?*]?', '[^]+?]', '[+]?[?]', '[ab]?c', 'a*[b]?'])
      expect(lint(version1({ commands: [pattern] })), pattern).toEqual([]);
    expect(lint(version1({ commands: ['[a]+?'] }))).toHaveLength(1);
  });

  it('are none for a backslash that is repeated, although another repetition precedes it', () => {
    expect(lint(version1({ commands: ['a*\\\\?'] }))).toEqual([]);
  });

  it('are none for different keys of a map of annotations', () => {
    expect(lint(version1({ annotations: { a: 'x', b: 'y' } }))).toEqual([]);
  });

  it('OCI-CASE21: say what becomes of prestart and createRuntime without an option', () => {
    expect(lint(always({ stages: ['prestart', 'createRuntime'] }))).toEqual([
      'warning LHC121 "prestart" and "createRuntime" are one stage today; the hook is injected once, but Podman and CRI-O inject it twice. Name only createRuntime, or only prestart for runtimes older than OCI 1.0.2.',
    ]);
  });

  it('are none for the keys of a file whose version or size is refused', () => {
    const found = (content: unknown): string[] => lint(content).map((line) => line.slice(0, 14));
    expect(found({ version: '2', stags: [] })).toEqual(['error LHC103 v']);
    const trap = '{"hook":"/a","stages":["poststop"],"cmds":["x"],"stags":[]}';
    const padded = trap.padEnd(1_048_576);
    expect(found(padded)).toEqual(['warning LHC137']);
    expect(found(`${padded} `)).toEqual(['error LHC110 A']);
  });

  it('do not hide errors, and the errors of both names of a list', () => {
    expect(lint({ hook: '/a', stage: ['poststop'], stages: ['poststop'], cmds: ['x'] })).toEqual([
      'error LHC105 "stage" and "stages" are two names of one property; the file gives both. Move what "stage" says to "stages" and remove "stage".',
    ]);
  });
});
