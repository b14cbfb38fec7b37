import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';

import { nodeFiles } from '../platform/files.ts';
import { groupMayLive, procTable } from './process-table.ts';

const table = procTable(nodeFiles);

describe('procTable', () => {
  it('reports this process as alive', async () => {
    const self = await table.self();
    expect(self.pid).toBe(process.pid);
    await expect(table.isAlive(self)).resolves.toBe(true);
  });

  it('distinguishes another process with the same PID by its start time', async () => {
    const self = await table.self();
    await expect(table.isAlive({ ...self, started: `${self.started}0` })).resolves.toBe(false);
  });

  it('reports an exited process as dead, also a zombie', async () => {
    // The shell replaces itself by a program that never waits for its child, so the child becomes a zombie when it
    // exits.
    const child = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600']);
    try {
      const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
      const pid = Number(chunk.toString());
      await expect.poll(() => nodeFiles.read(`/proc/${child.pid}/comm`)).toBe('sleep\n');
      process.kill(pid, 'SIGKILL');
      const stat = await statOf(pid);
      await expect(table.isAlive({ pid, started: stat })).resolves.toBe(false);
    } finally {
      child.kill('SIGKILL');
    }
    await once(child, 'close');
    await expect(table.isAlive({ pid: child.pid ?? 0, started: 'x' })).resolves.toBe(false);
  });

  it.each([
    [true, 2],
    [false, 1],
  ])(
    'reports as alive: %s, a process whose main thread has exited, with %i threads',
    async (alive, threads) => {
      const fields = Array.from({ length: 30 }, (_, index) => String(index + 4));
      fields[16] = String(threads);
      const texts: Record<string, string> = {
        '/proc/sys/kernel/random/boot_id': 'boot\n',
        '/proc/42/stat': `42 (a) Z ${fields.join(' ')}\n`,
        // By now the process was reaped, and another one has its number.
        '/proc/42/status': `Name:\tother\nState:\tS (sleeping)\nThreads:\t9\n`,
      };
      const read = (path: string): Promise<string> => Promise.resolve(texts[path] ?? '');
      const table42 = procTable({ ...nodeFiles, read });
      expect(await table42.isAlive({ pid: 42, started: 'boot/22' })).toBe(alive);
    },
  );

  it('reads the start time after a name with spaces and parentheses', async () => {
    const fields = Array.from({ length: 30 }, (_, index) => String(index + 3));
    const read = (path: string): Promise<string> =>
      Promise.resolve(path.endsWith('boot_id') ? 'boot\n' : `42 (a ) S (b) ${fields.join(' ')}\n`);
    const odd = procTable({ ...nodeFiles, read });
    await expect(odd.self()).resolves.toEqual({ pid: 42, started: 'boot/22' });
  });
});

/** Waits until the process is a zombie; resolves with its start time in the table. */
async function statOf(pid: number): Promise<string> {
  for (;;) {
    const stat = await nodeFiles.read(`/proc/${pid}/stat`);
    if (/\) Z /.test(stat)) {
      const boot = await nodeFiles.read('/proc/sys/kernel/random/boot_id');
      return `${boot.trim()}/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
    }
  }
}

describe('groupMayLive', () => {
  it('is true for a process that lives', async () => {
    expect(await groupMayLive(nodeFiles, await table.self())).toBe(true);
  });

  it('is false when another process has the number, so that it is not killed in its place', async () => {
    const self = await table.self();
    expect(await groupMayLive(nodeFiles, { ...self, started: `${self.started}0` })).toBe(false);
  });

  it('is true for a leader that has exited, whose children may live on', async () => {
    const { started } = await table.self();
    expect(await groupMayLive(nodeFiles, { pid: 2 ** 22 + 1, started })).toBe(true);
  });

  it('is false after a restart of the machine', async () => {
    const exited = { pid: 2 ** 22 + 1, started: 'another-boot/1' };
    expect(await groupMayLive(nodeFiles, exited)).toBe(false);
  });
});
