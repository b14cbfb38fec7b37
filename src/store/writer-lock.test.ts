import { beforeEach, describe, expect, it } from 'vitest';

import { Machine, type MachineProcess } from '../../test/sim/machine.ts';
import { posixError } from '../platform/posix-error.ts';
import { takeWriterLock, type WriterLock } from './writer-lock.ts';

let machine: Machine;

const take = ({ files, processes }: MachineProcess): Promise<WriterLock> =>
  takeWriterLock({ files, processes, folder: '/state' });

beforeEach(() => {
  machine = new Machine();
});

describe('takeWriterLock', () => {
  it('names its owner in a file', async () => {
    const process = machine.start();
    await machine.until(take(process));
    expect(machine.disk.visible('/state/writer.1.lock')).toBe('pid 1 started boot/1\n');
  });

  it('refuses a second writer while the first one is alive, and names it', async () => {
    await machine.until(take(machine.start()));
    await expect(machine.until(take(machine.start()))).rejects.toThrow(
      /error LHE008: .*\/state; it is in use by process 1\./,
    );
  });

  it('has locks of several names in one directory', async () => {
    const { files, processes } = machine.start();
    await machine.until(take(machine.start()));
    const other = { files, processes, folder: '/state', name: 'shared' } as const;
    await machine.until(takeWriterLock(other));
    expect(machine.disk.visible('/state/shared.1.lock')).toBe('pid 1 started boot/1\n');
    await expect(machine.until(takeWriterLock(other))).rejects.toThrow(
      'error LHE008: One process at a time changes the shared files of /state, which takes milliseconds, but process 1 does not release their lock. Next: If process 1 is paused, continue it with kill -CONT 1; otherwise end it. Then try again.',
    );
  });

  it('refuses the same process a second time', async () => {
    const process = machine.start();
    await machine.until(take(process));
    await expect(machine.until(take(process))).rejects.toThrow('in use by process 1');
  });

  it('takes over from a writer that died', async () => {
    const dead = machine.start();
    await machine.until(take(dead));
    machine.kill(dead, 'power stays');
    const process = machine.start();
    await machine.until(take(process));
    expect(await machine.until(process.files.list('/state'))).toEqual(['writer.2.lock']);
  });

  it('takes over from a live writer that released it', async () => {
    const process = machine.start();
    const lock = await machine.until(take(process));
    await machine.until(lock.release());
    await expect(machine.until(take(process))).resolves.toBeDefined();
  });

  it('holds no lock if the directory could not be read again after the file was created', async () => {
    const { files, processes } = machine.start();
    let lists = 0;
    const list: typeof files.list = async (path) => {
      lists += 1;
      if (lists === 2) throw posixError('EMFILE', 'too many open files');
      return files.list(path);
    };
    const options = { files: { ...files, list }, processes, folder: '/state' };
    await expect(machine.until(takeWriterLock(options))).rejects.toThrow('too many open files');
    await expect(machine.until(takeWriterLock(options))).resolves.toBeDefined();
  });

  it('leaves the lock of another process in a directory that was removed and created again', async () => {
    const remover = machine.start();
    const lock = await machine.until(take(remover));
    await machine.until(remover.files.remove('/state/writer.1.lock'));
    const next = await machine.until(take(machine.start()));
    expect(await machine.until(lock.isHeld())).toBe(false);
    await machine.until(lock.release());
    expect(await machine.until(next.isHeld())).toBe(true);
    await expect(machine.until(take(machine.start()))).rejects.toThrow('in use by process 2');
  });

  it('takes over an empty lock file, as a power failure leaves it', async () => {
    const process = machine.start();
    await machine.until(process.files.create('/state/writer.7.lock', '', 0o600));
    await machine.until(take(process));
    expect(machine.disk.visible('/state/writer.8.lock')).toContain('pid 1');
  });

  it('gives the lock to at most one of several concurrent writers', async () => {
    let taken = 0;
    for (let seed = 1; seed <= 300; seed += 1) {
      machine = new Machine(seed);
      const dead = machine.start();
      if (seed % 2 === 0) await machine.until(take(dead));
      machine.kill(dead, 'power stays');
      const contenders = Array.from({ length: 4 }, () => machine.start());
      const outcomes = await machine.until(Promise.allSettled(contenders.map(take)));
      const owners = outcomes.filter(({ status }) => status === 'fulfilled').length;
      expect(owners, `seed ${seed}`).toBeLessThanOrEqual(1);
      taken += owners;
    }
    expect(taken).toBeGreaterThan(250);
  });

  it('gives the lock to at most one live writer when others are killed or start later', async () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      machine = new Machine(seed);
      const owners = new Set<MachineProcess>();
      for (let round = 0; round < 4; round += 1) {
        const contenders = [machine.start(), machine.start()];
        for (const contender of contenders) {
          take(contender).then(
            () => owners.add(contender),
            () => {},
          );
        }
        await machine.pass(seed % 13);
        const [victim] = contenders;
        if (victim !== undefined && seed % 3 > 0) machine.kill(victim, 'power stays');
      }
      await machine.pass(1_000);
      const living = [...owners].filter(({ process }) => process.alive);
      expect(living.length, `seed ${seed}`).toBeLessThanOrEqual(1);
    }
  });
});
