import { describe, expect, it } from 'vitest';

import { readHookCommand, wrapHook, type HookCommand } from './hook-command.ts';

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

describe('wrapHook', () => {
  it('writes what readHookCommand reads', () => {
    const { args = [] } = wrapHook('/usr/bin/lifehook-hook', command, undefined);
    expect(readHookCommand(args.slice(1))).toEqual(command);
    const unlimited = { ...command, timeoutSeconds: null, argv: [] };
    const again = wrapHook('/usr/bin/lifehook-hook', unlimited, []).args ?? [];
    expect(readHookCommand(again.slice(1))).toEqual(unlimited);
  });

  it('keeps the environment, and makes an absent one empty', () => {
    expect(wrapHook('/r', command, ['A=1']).env).toEqual(['A=1']);
    expect(wrapHook('/r', command, undefined).env).toEqual([]);
  });

  it('leaves the runtime a deadline behind all attempts and pauses, and none without one', () => {
    const twice = { ...command, timeoutSeconds: 2, retries: 2 };
    expect(wrapHook('/r', twice, []).timeout).toBe(39);
    expect(wrapHook('/r', { ...command, timeoutSeconds: null }, [])).not.toHaveProperty('timeout');
  });
});

describe('readHookCommand', () => {
  const good = wrapHook('/r', command, []).args?.slice(1) ?? [];

  it.each([
    ['no arguments', []],
    ['no hook behind "--"', good.slice(0, good.indexOf('--') + 1)],
    ['no "--"', good.slice(0, good.indexOf('--'))],
    [
      'a stage that is not wrapped',
      good.map((arg) => arg.replace('createRuntime', 'startContainer')),
    ],
    ['a number that is none', good.map((arg) => arg.replace('--index=2', '--index=two'))],
    ['a missing option', good.filter((arg) => !arg.startsWith('--spool'))],
    ['an unknown policy', good.map((arg) => arg.replace('=retry', '=explode'))],
  ])('refuses %s', (_name, args) => {
    expect(() => readHookCommand(args)).toThrow('LHC301');
  });
});
