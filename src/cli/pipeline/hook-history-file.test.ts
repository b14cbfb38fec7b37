import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { fileHistory } from './hook-history-file.ts';

const HOOK = 'build/web/before/0';
const HOOKS: readonly string[] = Array.from({ length: 8 }, (_, n) => `build/${n}/before/0`);

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lifehook-history-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Records a session in which the hook succeeds with the inputs of this digest. */
async function session(digest: string, hook = HOOK): Promise<void> {
  const history = fileHistory(folder);
  await history.begins(hook);
  await history.succeeded(hook, digest);
}

async function recorded(hook = HOOK): Promise<string | null> {
  const next = fileHistory(folder);
  await next.recall([hook]);
  return next.lastDigest(hook);
}

const recordedOfAll = (): Promise<(string | null)[]> => Promise.all(HOOKS.map(recorded));

describe('the record of the inputs at the last success of a hook', () => {
  it('PIPE-P5: has no inputs of an earlier success while and after a run that was killed', async () => {
    await session('one');
    const killed = fileHistory(folder);
    await killed.begins(HOOK);
    expect(await recorded()).toBeNull();
  });

  it('PIPE-P5: has no inputs of a success that another session recorded before a run that was killed', async () => {
    const killed = fileHistory(folder);
    await session('one');
    await killed.begins(HOOK);
    expect(await recorded()).toBeNull();
  });

  it('PIPE-P5: keeps what another session has recorded meanwhile', async () => {
    await session('one');
    const longer = fileHistory(folder);
    await session('two');
    await longer.succeeded('deploy/kubectl/before/0', 'x');
    expect(await recorded()).toBe('two');
  });

  it('PIPE-P5: has the inputs of all hooks that succeed at once, each in a session of its own', async () => {
    await Promise.all(HOOKS.map((hook) => session('one', hook)));
    expect(await recordedOfAll()).toEqual(HOOKS.map(() => 'one'));
  });

  it('PIPE-P5: has no inputs of an earlier success of hooks that begin at once', async () => {
    for (const hook of HOOKS) await session('one', hook);
    const killed = fileHistory(folder);
    await Promise.all(HOOKS.map((hook) => killed.begins(hook)));
    expect(await recordedOfAll()).toEqual(HOOKS.map(() => null));
  });

  it('PIPE-P5: is compared as another session has left it, also after a success in this one', async () => {
    const longer = fileHistory(folder);
    await longer.succeeded(HOOK, 'one');
    await session('two');
    await longer.recall([HOOK]);
    expect(longer.lastDigest(HOOK)).toBe('two');
  });

  it('has no inputs of a success before a failure', async () => {
    await session('one');
    const failing = fileHistory(folder);
    await failing.begins(HOOK);
    expect(await recorded()).toBeNull();
  });
});
