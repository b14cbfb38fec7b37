import { describe, expect, it } from 'vitest';

import type { HookFile } from '../hooksd/hook-file.ts';
import type { SelectedHook, Selection } from '../hooksd/select.ts';
import type { OciHook, Stage } from '../points.ts';
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
  it('wraps each hook with its file, its place and its policy', () => {
    const hooks = { '20-two.json': { onFailure: 'retry', retries: 2 } } as const;
    const { createRuntime = [] } = plan({ createRuntime: [one, two] }, {}, { hooks });
    expect(createRuntime.map(({ path, env }) => [path, env])).toEqual([
      ['/usr/libexec/lifehook-hook', ['A=1']],
      ['/usr/libexec/lifehook-hook', []],
    ]);
    expect(createRuntime[0]?.args).toEqual(
      expect.arrayContaining([
        '--index=0',
        '--on-failure=fail',
        '--retries=0',
        '/bin/one',
        'one',
        'x',
      ]),
    );
    expect(createRuntime[1]?.args).toEqual(
      expect.arrayContaining(['--index=1', '--on-failure=retry', '--retries=2', '/bin/two']),
    );
  });

  it('leaves startContainer hooks, and without the runner all hooks, as they are', () => {
    expect(plan({ startContainer: [one] })).toEqual({ startContainer: [one.hook] });
    expect(plan({ poststop: [two] }, {}, { wrap: false })).toEqual({ poststop: [two.hook] });
  });

  it('leaves out what an engine has put in, in createRuntime and in its old place', () => {
    expect(plan({ createRuntime: [one] }, { hooks: { createRuntime: [one.hook] } })).toEqual({});
    expect(plan({ createRuntime: [one] }, { hooks: { prestart: [one.hook] } })).toEqual({});
    const kept = plan(
      { createRuntime: [one] },
      { hooks: { prestart: [one.hook] } },
      { prestart: 'keep' },
    );
    expect(kept.createRuntime).toHaveLength(1);
  });

  it('gives the same entries again when its own are there already', () => {
    const first = plan({ poststart: [one, two] });
    expect(plan({ poststart: [one, two] }, { hooks: first })).toEqual(first);
  });
});
