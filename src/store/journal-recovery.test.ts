import { expect, it } from 'vitest';

import { Machine, type MachineProcess } from '../../test/sim/machine.ts';
import { Journal } from './journal.ts';

/** Opens the journal in a new process of the machine. Its index keeps every value. */
async function open(machine: Machine): Promise<{
  process: MachineProcess;
  journal: Journal;
  values: unknown[];
}> {
  const process = machine.start();
  const { files, processes } = process;
  const values: unknown[] = [];
  const index = { add: (value: unknown) => values.push(value), shrink: () => values };
  const options = { files, processes, folder: '/state', index, limitBytes: 400, recovers: true };
  return { process, journal: await machine.until(Journal.open(options)), values };
}

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => /LHE\d+/.exec(String(error))?.[0] ?? String(error),
  );

it.each([
  { broken: 'sync', length: 1 },
  { broken: 'replace', length: 400 },
] as const)(
  'ENG-J4: writes the file anew after a failed $broken if it recovers, without the rejected values',
  async ({ broken, length }) => {
    const machine = new Machine();
    const { process, journal } = await open(machine);
    await machine.until(journal.append('a'));
    machine.disk.failNext(broken);
    const rejected = [journal.append('x'.repeat(length)), journal.append('y')].map(codeOf);
    expect(await machine.until(Promise.all(rejected))).toEqual(['LHE009', 'LHE009']);
    machine.disk.failNext('replace');
    expect(await machine.until(codeOf(journal.append('z')))).toBe('LHE009');
    await machine.until(journal.append('b'));
    await machine.until(journal.append('c'));
    machine.kill(process, 'power is lost');
    expect((await open(machine)).values).toEqual(['a', 'b', 'c']);
  },
);
