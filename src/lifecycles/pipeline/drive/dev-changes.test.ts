import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { buildStand } from '../../../../test/fixtures/pipeline/build-stand.ts';
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
