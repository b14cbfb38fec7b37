import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import {
  artifactIn,
  buildStand,
  NO_HOOKS,
} from '../../../../test/fixtures/pipeline/build-stand.ts';
import { shell } from '../../../../test/fixtures/pipeline/sample-hooks.ts';
import { HookWindows } from '../watch/hook-windows.ts';
import { type Changed, changedFiles } from './dev-changes.ts';

const EDITED_MS = 1_700_000_000_000;

/** The addresses of the hooks that may have written a file. The file was edited 5 ms before its iteration began. */
async function hooksOf(changed: Partial<Record<'edited' | 'differing', true>>): Promise<string[]> {
  const stand = buildStand({});
  onTestFinished(stand.remove);
  stand.write('b', 'one');
  const path = join(stand.session.hooks.workDir, 'b');
  utimesSync(path, EDITED_MS / 1_000, EDITED_MS / 1_000);
  let nowMs = EDITED_MS + 5;
  const windows = new HookWindows({ nowMs: () => nowMs });
  windows.begin();
  nowMs += 5;
  const hook = { callback: 'pre-build', address: 'build/web/before/0' } as const;
  windows.see({ type: 'HostCallbackEvent', ...hook, status: 'InProgress' });
  const facts: Changed = {
    hinted: [path],
    differing: changed.differing ? [path] : [],
    edited: new Set(changed.edited ? [path] : []),
    now: { groups: new Map(), digests: new Map() },
    windows,
    lastBuilt: new Set(),
  };
  const [file] = await changedFiles(facts, stand.session);
  return file?.hooks.map(({ address }) => address) ?? [];
}

test('PIPE-CASE23: takes a late report of the edit that began the iteration for no hook', async () => {
  expect(await hooksOf({ edited: true })).toEqual([]);
});

test('PIPE-CASE23: takes a kept or an edited file of that time for a write of the hook', async () => {
  expect(await hooksOf({})).toEqual(['build/web/before/0']);
  expect(await hooksOf({ edited: true, differing: true })).toEqual(['build/web/before/0']);
});

test.each(['gen', 'gen/*.js', 'gen/**'])(
  'takes a file of the declared output %s for an output, in a directory with a bracket in its name',
  async (pattern) => {
    const stand = buildStand({
      artifactsIn: (folder) => {
        const hook = shell('true', { policy: { outputs: [pattern] } });
        return [
          artifactIn(join(folder, 'a[1]'), 'web', { hooks: { ...NO_HOOKS, before: [hook] } }),
        ];
      },
    });
    onTestFinished(stand.remove);
    const [made, other] = ['a[1]/gen/x.js', 'a[1]/x.js'].map((name) => stand.write(name, 'one'));
    const { platform } = stand.session;
    const windows = new HookWindows({ nowMs: () => platform.clock.nowMs() - 60_000 });
    windows.begin();
    const found = await changedFiles(
      {
        hinted: [made ?? '', other ?? ''],
        differing: [],
        edited: new Set(),
        now: { groups: new Map(), digests: new Map() },
        windows,
        lastBuilt: new Set(),
      },
      stand.session,
    );
    expect(found.map(({ isOutput }) => isOutput)).toEqual([true, false]);
  },
);

test.each(['after', 'onError', 'finally'] as const)(
  'takes a file of a declared output for an output, also of %s hooks of images and of ready',
  async (when) => {
    const policy = { outputs: ['gen'] };
    const own = shell('true', { phase: 'ready', when, address: `ready/${when}/0`, policy });
    const ofImage = shell('true', { when, address: `build/web/${when}/0`, policy });
    const stand = buildStand({
      artifactsIn: (folder) => [
        artifactIn(join(folder, 'web'), 'web', { hooks: { ...NO_HOOKS, [when]: [ofImage] } }),
      ],
    });
    onTestFinished(stand.remove);
    const paths = ['gen/x', 'web/gen/x', 'x'].map((name) => stand.write(name, 'one'));
    const { session } = stand;
    const ownHooks = { ...session.config.ownHooks, ready: { ...NO_HOOKS, [when]: [own] } };
    const windows = new HookWindows({ nowMs: () => session.platform.clock.nowMs() - 60_000 });
    windows.begin();
    const found = await changedFiles(
      {
        hinted: paths,
        differing: [],
        edited: new Set(),
        now: { groups: new Map(), digests: new Map() },
        windows,
        lastBuilt: new Set(),
      },
      { ...session, config: { ...session.config, ownHooks } },
    );
    expect(found.map(({ isOutput }) => isOutput)).toEqual([true, true, false]);
  },
);
