import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { HookHistory } from '../../lifecycles/pipeline/hooks/history.ts';
import { readHistory, writeHistory } from './hook-history-file.ts';

const HOOK = 'build/web/before/0';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lifehook-history-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** A session in which the hook succeeds with these inputs, up to its end. */
async function session(digest: string): Promise<void> {
  const history = await readHistory(folder);
  await history.begins(HOOK);
  history.succeeded(HOOK, digest);
  await writeHistory(folder, history);
}

const recorded = async (): Promise<string | null> => (await readHistory(folder)).lastDigest(HOOK);

describe('the record of the inputs at the last success of a hook', () => {
  it('PIPE-P5: has no inputs of an earlier success while and after a session that was killed', async () => {
    await session('one');
    const killed: HookHistory = await readHistory(folder);
    await killed.begins(HOOK);
    killed.succeeded(HOOK, 'two');
    expect(await recorded()).toBeNull();
  });

  it('PIPE-P5: keeps what another session has recorded meanwhile', async () => {
    await session('one');
    const longer = await readHistory(folder);
    longer.succeeded('deploy/kubectl/before/0', 'x');
    await session('two');
    await writeHistory(folder, longer);
    expect(await recorded()).toBe('two');
  });

  it('PIPE-P5: has no inputs of an earlier success of hooks that begin at once', async () => {
    const first = await readHistory(folder);
    const hooks = Array.from({ length: 8 }, (_, index) => `build/${index}/before/0`);
    for (const hook of hooks) first.succeeded(hook, 'one');
    await writeHistory(folder, first);
    const killed = await readHistory(folder);
    await Promise.all(hooks.map((hook) => killed.begins(hook)));
    const next = await readHistory(folder);
    expect(hooks.filter((hook) => next.lastDigest(hook) !== null)).toEqual([]);
  });

  it('has no inputs of a success before a failure', async () => {
    await session('one');
    const failing = await readHistory(folder);
    await failing.begins(HOOK);
    await writeHistory(folder, failing);
    expect(await recorded()).toBeNull();
  });
});
