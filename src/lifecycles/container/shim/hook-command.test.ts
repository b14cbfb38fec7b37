import { describe, expect, it } from 'vitest';

import {
  environmentOf,
  readHookCommands,
  stuckAfterSeconds,
  wrapHook,
  wrapHooks,
  type HookCommand,
} from './hook-command.ts';

const command: HookCommand = {
  stage: 'createRuntime',
  file: '10-größe =x.json',
  index: 2,
  onFailure: 'retry',
  retries: 3,
  timeoutSeconds: 5,
  spool: '/run/life hook',
  path: '/usr/bin/hook',
  argv: ['hook', '--', '--stage=poststop', ''],
};

describe('wrapHooks', () => {
  const second = { ...command, file: '20.json', timeoutSeconds: null, argv: [], path: '--' };

  it('writes arguments that readHookCommands reads back', () => {
    const hooks = [command, second, command].map((one) => ({ command: one, env: undefined }));
    const { args = [] } = wrapHooks('/usr/bin/lifehook-hook', hooks);
    expect(readHookCommands(args.slice(1))).toEqual([command, second, command]);
  });

  it('keeps each environment apart, and makes an absent one empty', () => {
    const hooks = [['A=1', 'B=2'], undefined, ['A=3=4']].map((env) => ({ command, env }));
    const { env = [] } = wrapHooks('/r', hooks);
    const process = Object.fromEntries(env.map((entry) => entry.split(/=(.*)/s).slice(0, 2)));
    const seen = [0, 1, 2].map((place) => environmentOf(process as Record<string, string>, place));
    expect(seen).toEqual([{ A: '1', B: '2' }, {}, { A: '3=4' }]);
    expect(wrapHook('/r', command, undefined).env).toEqual([]);
  });

  it('sets no timeout for the runtime, since the runner keeps the deadlines', () => {
    expect(wrapHook('/r', command, [])).not.toHaveProperty('timeout');
  });
});

describe('stuckAfterSeconds', () => {
  const timed = { ...command, timeoutSeconds: 2, retries: 0 };

  it('covers all hooks with all their attempts and pauses', () => {
    expect(stuckAfterSeconds([timed, timed])).toBe(34);
    expect(stuckAfterSeconds([{ ...timed, retries: 2 }])).toBe(54);
  });

  it('counts a longer timeout as the longest one that an attempt can have', () => {
    expect(stuckAfterSeconds([{ ...timed, timeoutSeconds: 2 ** 32 - 10 }])).toBe(604_815);
  });

  it('is null when a hook has no deadline', () => {
    expect(stuckAfterSeconds([timed, { ...timed, timeoutSeconds: null }])).toBeNull();
  });
});

describe('readHookCommands', () => {
  const good = wrapHook('/r', command, []).args?.slice(1) ?? [];

  it.each([
    ['no arguments', []],
    ['no hook behind "--"', good.slice(0, good.indexOf('--') + 1)],
    ['no "--"', good.slice(0, good.indexOf('--'))],
    [
      'a stage that is not wrapped',
      good.map((arg) => arg.replace('createRuntime', 'startContainer')),
    ],
    ['an index that is not a number', good.map((arg) => arg.replace('--index=2', '--index=two'))],
    ['fewer arguments than announced', good.slice(0, -1)],
    ['a missing option', good.filter((arg) => !arg.startsWith('--spool'))],
    ['an unknown policy', good.map((arg) => arg.replace('=retry', '=explode'))],
  ])('refuses %s', (_name, args) => {
    expect(() => readHookCommands(args)).toThrow('LHC301');
  });
});
