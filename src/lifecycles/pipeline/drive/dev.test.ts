import { getEventListeners } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';

import {
  artifactIn,
  type BuildStand,
  buildStand,
  NO_HOOKS,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import { fastPlatform } from '../../../../test/fixtures/pipeline/fast-platform.ts';
import { linesApart } from '../../../../test/fixtures/pipeline/hook-stand.ts';
import { shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import { exitsSoon, pidIn } from '../../../../test/fixtures/processes/attempt.ts';
import { nodePathWatching } from '../../../platform/path-watching.ts';
import type { HookPolicy, StageHooks, When } from '../hooks/model.ts';
import type { ImagePort, PhaseResult, PipelineSession } from '../session.ts';
import { SessionValues } from '../values/session-values.ts';
import { runDev } from './dev.ts';

/** Stops everything that a test has started, even if the test failed. */
const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Dev {
  readonly stand: BuildStand;
  readonly ended: Promise<PhaseResult<null>>;
  readonly stop: () => void;
  /** The number of listeners on the session's abort signal at the start of each iteration. */
  readonly listeners: readonly number[];
  /** Writes a file some time after the last hook has ended, so that the edit is not attributed to the hook. */
  readonly edit: (name: string, text: string) => Promise<void>;
  /** The changed files that each iteration reports, relative to the directory of the session. */
  readonly changes: () => (readonly string[])[];
  readonly warnings: (code: string) => string[];
  /** Resolves after this number of iterations. Each of them ends with a deployment of nothing, or with a failure. */
  readonly over: (count: number) => Promise<void>;
}

const buildHook = (script: string, when: When, policy: Partial<HookPolicy> = {}) =>
  shell(script, { when, address: `build/web/${when}/0`, policy });

const NO_IMAGES: ImagePort = {
  importImage: ({ reference }) => Promise.resolve(`sha256:${reference}`),
  idOf: () => Promise.resolve(null),
  tag: () => Promise.resolve(),
};

function startDev(
  hooks: Partial<StageHooks>,
  reload?: (session: PipelineSession) => PipelineSession,
  keepsRunning = true,
): Dev {
  const end = new AbortController();
  const listeners: number[] = [];
  const stand: BuildStand = buildStand({
    context: {
      signal: end.signal,
      platform: fastPlatform,
      emit: (event) => {
        if (event.type === 'Iteration') {
          listeners.push(getEventListeners(end.signal, 'abort').length);
        }
        stand.events.push(...linesApart(event));
      },
    },
    artifactsIn: (folder) => [
      artifactIn(join(folder, 'web'), 'web', { hooks: { ...NO_HOOKS, ...hooks } }),
    ],
    images: NO_IMAGES,
  });
  stand.write('web/a', 'one');
  stand.write('skaffold.yaml', 'one');
  const { session, events } = stand;
  const ended = runDev(session, {
    reload: () => Promise.resolve(reload?.(session) ?? session),
    watching: nodePathWatching,
    cleanup: true,
    forwardPorts: false,
    keepsRunning,
    tailLogs: false,
  });
  closers.push(async () => {
    end.abort();
    await ended;
    stand.remove();
  });
  const warnings = (code: string): string[] =>
    events.flatMap((event) =>
      event.type === 'Warning' && event.code === code ? [event.message] : [],
    );
  return {
    stand,
    ended,
    stop: () => {
      end.abort();
    },
    listeners,
    edit: async (name, text) => {
      await pause(GRAIN_MS);
      stand.write(name, text);
    },
    changes: () => events.flatMap((event) => (event.type === 'Iteration' ? [event.changed] : [])),
    warnings,
    over: async (count) => {
      const isEnd = (event: (typeof events)[number]): boolean =>
        (event.type === 'PhaseEvent' && event.phase === 'deploy' && event.status === 'Succeeded') ||
        (event.type === 'Warning' && event.code === 'LHL502');
      while (events.filter(isEnd).length < count) await pause(10);
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms));
}

/** Milliseconds after the end of a hook. A file that is written later is not attributed to the hook. */
const GRAIN_MS = 50;

describe('a development session', () => {
  test('starts the next iteration on a change after the first iteration failed (PIPE-D1)', async () => {
    const { over, warnings, stand, edit } = startDev({
      before: [buildHook('grep two web/a', 'before')],
    });
    await over(1);
    expect(warnings('LHL502')[0]).toContain('The hook build/web/before/0 failed');
    await edit('web/a', 'two');
    await over(2);
    expect(warnings('LHL502')).toHaveLength(1);
    expect(stand.events).toContainEqual({ type: 'Iteration', number: 2, changed: ['web/a'] });
  });

  test('ends with the failure of the first iteration where it is not to keep running', async () => {
    const { ended, stand } = startDev(
      { before: [buildHook('exit 7', 'before')] },
      undefined,
      false,
    );
    expect(await ended).toMatchObject({ outcome: 'Failed', exitCode: 7 });
    expect(stand.events.filter(({ type }) => type === 'Iteration')).toHaveLength(1);
  });

  test('keeps running after a later iteration that failed, whatever was asked for', async () => {
    const hook = buildHook('grep one web/a', 'before');
    const { over, edit, stop, ended } = startDev({ before: [hook] }, undefined, false);
    await over(1);
    await edit('web/a', 'two');
    await over(2);
    await edit('web/a', 'one more');
    await over(3);
    stop();
    expect(await ended).toMatchObject({ outcome: 'Succeeded' });
  });

  test('PIPE-CASE23: warns about a before hook that writes watched files, and starts no further iteration', async () => {
    const { over, changes, warnings, edit } = startDev({
      before: [buildHook('echo x >> web/stamp; touch web/a', 'before')],
    });
    await over(1);
    await edit('web/b', 'one');
    await over(2);
    expect(changes()).toEqual([[], ['web/b']]);
    expect(warnings('LHL504').toSorted()).toEqual([
      expect.stringMatching(/^build\/web\/before\/0 changes .*\/web\/stamp: /),
      expect.stringMatching(/^build\/web\/before\/0 wrote .*\/web\/a without changing its content/),
    ]);
  });

  test('PIPE-CASE23: starts one further iteration, and only one, when an after hook writes a watched file', async () => {
    const { over, changes, warnings, edit } = startDev({
      after: [buildHook('echo x >> web/stamp', 'after')],
    });
    await over(2);
    await edit('web/a', 'two');
    await over(3);
    expect(warnings('LHL504')).toHaveLength(1);
    await edit('web/a', 'three');
    await over(4);
    expect(changes()).toEqual([[], ['web/stamp'], ['web/a'], ['web/a']]);
  });

  test('PIPE-B9: does not loop when an after hook writes another watched file each time', async () => {
    const { over, changes, edit } = startDev({
      after: [buildHook('echo x > web/stamp-$(date +%s%N)', 'after')],
    });
    await over(2);
    await edit('web/a', 'two');
    await over(4);
    await edit('web/a', 'three');
    await over(6);
    expect(changes().map((names) => names.map((name) => name.replace(/-\d+$/, '')))).toEqual([
      [],
      ['web/stamp'],
      ['web/a'],
      ['web/stamp'],
      ['web/a'],
      ['web/stamp'],
    ]);
  });

  test('ignores the declared outputs of a hook without a warning', async () => {
    const { over, changes, warnings, edit } = startDev({
      after: [buildHook('echo x >> web/stamp', 'after', { outputs: ['stamp'] })],
    });
    await over(1);
    await edit('web/a', 'two');
    await over(2);
    expect(changes()).toEqual([[], ['web/a']]);
    expect(warnings('LHL504')).toEqual([]);
  });

  test('leaves no abort listener behind after an iteration', async () => {
    const { over, listeners, edit } = startDev({ before: [buildHook('true', 'before')] });
    await over(1);
    for (const round of [2, 3, 4]) {
      await edit('web/a', `round ${round}`);
      await over(round);
    }
    expect(listeners).toHaveLength(4);
    expect(new Set(listeners).size).toBe(1);
  });

  test('PIPE-CASE46: keeps hook values when the configuration is reloaded (PIPE-D3)', async () => {
    const hook = buildHook('echo "was ${FOO:-unset}"; echo FOO=set >> "$LIFEHOOK_ENV"', 'before');
    const { over, stand, edit } = startDev({ before: [hook] }, (session) => ({
      ...session,
      hooks: { ...session.hooks, values: new SessionValues() },
    }));
    await over(1);
    await edit('skaffold.yaml', 'two');
    await over(2);
    expect(stand.lines()).toEqual(['build/web/before/0: was unset', 'build/web/before/0: was set']);
  });

  test('counts the iteration in which the configuration is reloaded', async () => {
    const hook = buildHook('echo FOO=set >> "$LIFEHOOK_ENV"', 'before');
    const { over, stand, edit } = startDev({ before: [hook] });
    await over(1);
    await edit('skaffold.yaml', 'two');
    await over(2);
    expect(stand.context.values.recorded('FOO')).toMatchObject({ iteration: 2 });
  });

  test('warns about an invalid configuration, and reloads it when it changes again (PIPE-D3)', async () => {
    let isBroken = true;
    const { over, warnings, stand } = startDev({}, (session) => {
      if (isBroken) throw new Error('no such field');
      return session;
    });
    await over(1);
    stand.write('skaffold.yaml', 'broken');
    await over(2);
    expect(warnings('LHL502')).toEqual([expect.stringContaining('no such field')]);
    isBroken = false;
    stand.write('skaffold.yaml', 'mended');
    await over(3);
    expect(warnings('LHL502')).toHaveLength(1);
  });

  test('PIPE-D2: reads the configuration again when it changes while it is read', async () => {
    const texts: string[] = [];
    const { over, stand, edit } = startDev({}, (session) => {
      texts.push(readFileSync(join(session.hooks.workDir, 'skaffold.yaml'), 'utf8'));
      if (texts.length === 1) stand.write('skaffold.yaml', 'three');
      return session;
    });
    await over(1);
    await edit('skaffold.yaml', 'two');
    await over(3);
    expect(texts).toEqual(['two', 'three']);
  });

  test('PIPE-CASE25: kills all processes of the running hook on Ctrl-C, and runs finally hooks', async () => {
    const { stand, stop, ended } = startDev({
      before: [buildHook("trap '' INT TERM; sleep 60 & echo child $!; wait", 'before')],
      finally: [buildHook('touch tidied', 'finally')],
    });
    while (stand.lines().length === 0) await pause(10);
    const [, text = ''] = /child (\d+)/.exec(stand.lines()[0] ?? '') ?? [];
    stop();
    expect(await ended).toMatchObject({ outcome: 'Succeeded' });
    expect(await exitsSoon(pidIn(text))).toBe(true);
    expect(existsSync(join(stand.folder, 'tidied'))).toBe(true);
    writeFileSync(join(stand.folder, 'web/a'), 'nobody looks any more');
  });
});
