import { describe, expect, it } from 'vitest';

import { Machine, type MachineProcess } from './machine.ts';

const PATH = '/folder/file';

/** Starts a process that has written and synced "durable", and then written "rest" without a sync. */
async function written(machine: Machine): Promise<MachineProcess> {
  const process = machine.start();
  const { files } = process;
  await machine.until(files.create(PATH, '', 0o600));
  const file = await machine.until(files.openAppend(PATH, 0o600));
  await machine.until(file.write('durable'));
  await machine.until(file.sync());
  await machine.until(file.write('rest'));
  return process;
}

const after = async (seed: number, power: 'power stays' | 'power is lost'): Promise<string> => {
  const machine = new Machine(seed);
  machine.kill(await written(machine), power);
  return machine.disk.visible(PATH);
};

const seeds = Array.from({ length: 200 }, (_, index) => index + 1);

describe('SimDisk', () => {
  it('keeps all written bytes when only the process is killed', async () => {
    expect(await after(1, 'power stays')).toBe('durablerest');
  });

  it('keeps synced bytes when the power is lost, and a random part of the rest', async () => {
    const found = new Set<string>();
    for (const seed of seeds) found.add(await after(seed, 'power is lost'));
    expect([...found].filter((bytes) => !bytes.startsWith('durable'))).toEqual([]);
    for (const bytes of ['durable', 'durablere', 'durablerest', 'durable\0\0']) {
      expect(found).toContain(bytes);
    }
  });

  it('replaces a file completely or not at all', async () => {
    const found = new Set<string>();
    for (const seed of seeds) {
      const machine = new Machine(seed);
      const process = await written(machine);
      process.files.replace(PATH, 'new', { mode: 0o600 }).catch(() => {});
      machine.kill(process, 'power stays');
      found.add(machine.disk.visible(PATH));
    }
    expect([...found].toSorted()).toEqual(['durablerest', 'new']);
  });

  it('keeps bytes readable that a failed sync never writes', async () => {
    const machine = new Machine();
    const { files } = await written(machine);
    const file = await machine.until(files.openAppend(PATH, 0o600));
    machine.disk.failNext('sync');
    await expect(machine.until(file.sync())).rejects.toThrow('EIO');
    await machine.until(file.write('more'));
    await machine.until(file.sync());
    expect(machine.disk.visible(PATH)).toBe('durablerestmore');
    expect(machine.disk.durable(PATH)).toBe('durable\0\0\0\0more');
  });

  it('settles no call of a killed process', async () => {
    const machine = new Machine();
    const process = machine.start();
    let called = false;
    process.files.create(PATH, '', 0o600).then(
      () => (called = true),
      () => (called = true),
    );
    machine.kill(process, 'power stays');
    await machine.pass(10);
    expect(called).toBe(false);
  });
});
