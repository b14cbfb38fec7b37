import { describe, expect, it } from 'vitest';

import type { HookFile } from '../hooksd/hook-file.ts';
import type { SelectedHook, Selection } from '../hooksd/select.ts';
import type { OciHook, Stage } from '../points.ts';
import { readHookCommands } from './hook-command.ts';
import { planInjection } from './plan-injection.ts';
import { DEFAULT_SETTINGS, type RuntimeSettings } from './runtime-settings.ts';

const selected = (name: string, hook: OciHook): SelectedHook => {
  const file: HookFile = {
    name,
    folder: '/hooks.d',
    schema: '1.0.0',
    hook,
    when: { combine: 'all', always: true },
    stages: [],
    positions: {},
  };
  return { file, hook };
};

const selection = (stages: Partial<Record<Stage, SelectedHook[]>>): Selection => ({
  stages: {
    prestart: [],
    createRuntime: [],
    createContainer: [],
    startContainer: [],
    poststart: [],
    poststop: [],
    ...stages,
  },
  extensions: { precreate: [], postexit: [] },
  problems: [],
});

const plan = (
  stages: Partial<Record<Stage, SelectedHook[]>>,
  config: object = {},
  settings: Partial<RuntimeSettings> = {},
): ReturnType<typeof planInjection> =>
  planInjection({
    config: { ...config },
    selection: selection(stages),
    settings: { ...DEFAULT_SETTINGS, ...settings },
    runner: '/usr/libexec/lifehook-hook',
  });

const one = selected('10-one.json', { path: '/bin/one', args: ['one', 'x'], env: ['A=1'] });
const two = selected('20-two.json', { path: '/bin/two' });

describe('planInjection', () => {
  it('wraps the hooks of a stage in one runner, each with its index and its policy', () => {
    const hooks = { '20-two.json': { onFailure: 'retry', retries: 2 } } as const;
    const { createRuntime = [] } = plan({ createRuntime: [one, two] }, {}, { hooks });
    const [entry, ...more] = createRuntime;
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ path: '/usr/libexec/lifehook-hook', env: ['0:A=1'] });
    const common = { stage: 'createRuntime', spool: DEFAULT_SETTINGS.spool, timeoutSeconds: null };
    expect(readHookCommands(entry?.args?.slice(1) ?? [])).toEqual([
      {
        ...common,
        file: '10-one.json',
        index: 0,
        onFailure: 'fail',
        retries: 0,
        path: '/bin/one',
        argv: ['one', 'x'],
      },
      {
        ...common,
        file: '20-two.json',
        index: 1,
        onFailure: 'retry',
        retries: 2,
        path: '/bin/two',
        argv: ['/bin/two'],
      },
    ]);
  });

  it('leaves startContainer hooks unwrapped, and all hooks when wrap is false', () => {
    expect(plan({ startContainer: [one] })).toEqual({ startContainer: [one.hook] });
    expect(plan({ poststop: [two] }, {}, { wrap: false })).toEqual({ poststop: [two.hook] });
  });

  it('skips a hook that an engine has injected into createRuntime or prestart', () => {
    expect(plan({ createRuntime: [one] }, { hooks: { createRuntime: [one.hook] } })).toEqual({});
    expect(plan({ createRuntime: [one] }, { hooks: { prestart: [one.hook] } })).toEqual({});
    const kept = plan(
      { createRuntime: [one] },
      { hooks: { prestart: [one.hook] } },
      { prestart: 'keep' },
    );
    expect(kept.createRuntime).toHaveLength(1);
  });

  it('adds only the hooks that an earlier injection has not wrapped, with their index', () => {
    const first = plan({ poststart: [one, two] });
    expect(plan({ poststart: [one, two] }, { hooks: first })).toEqual({});
    const three = selected('15-three.json', { path: '/bin/three', timeout: 3 });
    const { poststart = [] } = plan({ poststart: [one, three, two] }, { hooks: first });
    const commands = readHookCommands(poststart[0]?.args?.slice(1) ?? []);
    expect(commands.map(({ file, index }) => [file, index])).toEqual([['15-three.json', 1]]);
  });

  it('adds a hook as often as it was selected', () => {
    const twin = selected('30-twin.json', two.hook);
    const first = plan({ poststart: [two] });
    const second = plan({ poststart: [two, twin] }, { hooks: first });
    expect(second.poststart).toHaveLength(1);
    const all = { poststart: [...(first.poststart ?? []), ...(second.poststart ?? [])] };
    expect(plan({ poststart: [two, twin] }, { hooks: all })).toEqual({});
  });
});
