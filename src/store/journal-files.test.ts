import { expect, it } from 'vitest';

import { Machine } from '../../test/sim/machine.ts';
import type { Files } from '../platform/platform.ts';
import { Journal, type JournalIndex } from './journal.ts';

const index: JournalIndex = { add: () => undefined, shrink: () => [] };

/** Wraps `files`: records in `acts` each open, write and close of a file that is opened for appending. */
function watched(files: Files, acts: string[]): Files {
  const openAppend: Files['openAppend'] = async (...args) => {
    const handle = await files.openAppend(...args);
    acts.push('open');
    const write = async (text: string): Promise<void> => {
      await handle.write(text);
      acts.push('written');
    };
    const close = async (): Promise<void> => {
      acts.push('close');
      await handle.close();
    };
    return { write, close, sync: () => handle.sync() };
  };
  return Object.assign(Object.create(files) as Files, { openAppend });
}

async function open(machine: Machine, acts: string[]): Promise<Journal> {
  const { files, processes } = machine.start();
  const options = { files: watched(files, acts), processes, folder: '/state', index };
  return machine.until(Journal.open({ ...options, limitBytes: 200 }));
}

it('has one open file, however often it was rotated', async () => {
  const machine = new Machine();
  const acts: string[] = [];
  const journal = await open(machine, acts);
  for (let count = 0; count < 10; count += 1) {
    await machine.until(journal.append('x'.repeat(100)));
  }
  const files = acts.filter((act) => act !== 'written');
  expect(files.length).toBeGreaterThan(3);
  expect(files).toEqual(files.map((_, at) => (at % 2 === 0 ? 'open' : 'close')));
  expect(files.at(-1)).toBe('open');
});

it('closes its file after the writes of the appends before', async () => {
  const machine = new Machine();
  const acts: string[] = [];
  const journal = await open(machine, acts);
  const appending = journal.append('x');
  await machine.until(Promise.all([appending, journal.close()]));
  expect(acts).toEqual(['open', 'written', 'close']);
});
