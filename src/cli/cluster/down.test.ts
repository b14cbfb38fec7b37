import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';

import { holdForStop, removeState, terminate } from './down.ts';
import { holdState } from './hold-state.ts';

it('accepts that the process of the cluster has exited meanwhile', async () => {
  const child = spawn('sleep', ['600']);
  const exited = once(child, 'exit');
  terminate({ pid: child.pid ?? 0 });
  await exited;
  terminate({ pid: child.pid ?? 0 });
  expect(child.signalCode).toBe('SIGTERM');
});

it('removes the lock of a state directory last, so that no `up` starts in the rest of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-down-'));
  try {
    const lock = await holdState(folder);
    await mkdir(join(folder, 'images/a/b/c/d/e/f/g'), { recursive: true });
    await writeFile(join(folder, 'images/a/b/c/d/e/f/g/layer'), 'x');
    const removed = removeState(folder).then(() => true);
    let isDone = false;
    const left: boolean[] = [];
    while (!isDone) {
      isDone = await Promise.race([removed, nextTurn(false)]);
      if (!(await lock.isHeld())) left.push(existsSync(join(folder, 'images')));
    }
    expect(new Set(left)).toEqual(new Set([false]));
    expect(existsSync(folder)).toBe(false);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('waits for another `down` that has locked the directory only if the cluster was up', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-down-'));
  try {
    const other = await holdState(folder);
    await expect(holdForStop(folder, false)).rejects.toThrow('LHA105');
    const waiting = holdForStop(folder, true);
    setTimeout(() => void other.release(), 100);
    const own = await waiting;
    expect(await own.isHeld()).toBe(true);
    await own.release();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
