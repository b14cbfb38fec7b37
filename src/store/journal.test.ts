import { beforeEach, describe, expect, it } from 'vitest';

import { Machine, type MachineProcess } from '../../test/sim/machine.ts';
import { encodeLine, encodeValue } from './journal-line.ts';
import { Journal, type JournalIndex, MAX_VALUE_BYTES, MAX_WAITING } from './journal.ts';

const PATH = '/state/journal.jsonl';

/** An index that keeps every value, except those that a test allows it to drop. */
class ListIndex implements JournalIndex {
  values: unknown[] = [];
  /** The sizes to which the journal has asked it to shrink. */
  readonly asked: number[] = [];
  forget: (value: unknown) => boolean = () => false;

  add(value: unknown): void {
    this.values.push(value);
  }

  shrink(maxBytes: number): readonly unknown[] {
    this.asked.push(maxBytes);
    this.values = this.values.filter((value) => !this.forget(value));
    return this.values;
  }
}

let machine: Machine;
let process: MachineProcess;
let index: ListIndex;

async function open(limitBytes?: number): Promise<Journal> {
  index = new ListIndex();
  process = machine.start();
  const { files, processes } = process;
  const options = { files, processes, folder: '/state', index };
  return machine.until(
    Journal.open(limitBytes === undefined ? options : { ...options, limitBytes }),
  );
}

/** The records that a new process finds after this one has exited. */
async function afterwards(power: 'power stays' | 'power is lost'): Promise<unknown[]> {
  machine.kill(process, power);
  await open();
  return index.values;
}

/** The values in the journal, line by line. */
function batches(): unknown[][] {
  const lines = machine.disk.durable(PATH).split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { batch: unknown[] }).batch);
}

const refusalOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(() => 'done', String);

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => /LHE\d+/.exec(String(error))?.[0] ?? String(error),
  );

beforeEach(() => {
  machine = new Machine();
});

describe('Journal', () => {
  it('ENG-J1: keeps what it acknowledged when the power is lost', async () => {
    const journal = await open();
    await machine.until(journal.append('a'));
    await machine.until(journal.append('b'));
    expect(await afterwards('power is lost')).toEqual(['a', 'b']);
  });

  it('adds each value to its index before the append resolves', async () => {
    const journal = await open();
    let seen: unknown[] = [];
    await machine.until(
      journal.append('a').then(() => {
        seen = [...index.values];
        return seen;
      }),
    );
    expect(seen).toEqual(['a']);
  });

  it('makes all waiting values durable with one sync', async () => {
    const journal = await open();
    const letters = 'abcdefgh'.split('');
    await machine.until(Promise.all(letters.map((letter) => journal.append(letter))));
    expect(batches()).toEqual([['a'], ['b', 'c', 'd', 'e', 'f', 'g', 'h']]);
  });

  it('ENG-J2: writes a line only when the line before it is durable', async () => {
    const journal = await open();
    const all = Promise.all('abcdefgh'.split('').map((letter) => journal.append(letter)));
    const linesAtRisk: number[] = [];
    for (let events = 0; events < 30; events += 1) {
      await machine.pass(1);
      const rest = machine.disk.visible(PATH).slice(machine.disk.durable(PATH).length);
      linesAtRisk.push(rest.split('\n').length - 1);
    }
    await machine.until(all);
    expect(Math.max(...linesAtRisk)).toBe(1);
  });

  it('ENG-J3: truncates a torn last line, and appends after it', async () => {
    for (let events = 1; events < 8; events += 1) {
      machine = new Machine(events);
      const journal = await open();
      await machine.until(journal.append('a'));
      journal.append('b'.repeat(1_000)).catch(() => {});
      await machine.pass(events % 3);
      machine.kill(process, events % 2 === 0 ? 'power is lost' : 'power stays');
      const next = await open();
      expect(index.values[0]).toBe('a');
      await machine.until(next.append('c'));
      expect((await afterwards('power is lost')).at(-1)).toBe('c');
    }
  });

  it.each(['power stays', 'power is lost'] as const)(
    'ENG-J1: loses no acknowledged value when killed at any event of a rotation (%s)',
    async (power) => {
      for (let events = 0; events < 60; events += 1) {
        machine = new Machine(events);
        const journal = await open(400);
        const acknowledged: number[] = [];
        for (let value = 0; value < 40; value += 1) {
          journal.append(value).then(
            () => acknowledged.push(value),
            () => {},
          );
        }
        journal.append('x'.repeat(400)).catch(() => {});
        await machine.pass(events);
        const found = await afterwards(power);
        expect(found.slice(0, acknowledged.length)).toEqual(acknowledged);
      }
    },
  );

  it('rotates at its size limit, and drops values that its index can spare', async () => {
    const journal = await open(2_000);
    index.forget = (value) => typeof value === 'string' && value.startsWith('old');
    for (let count = 0; count < 100; count += 1) {
      await machine.until(journal.append(`old ${count}`));
    }
    await machine.until(journal.append('new'));
    expect(machine.disk.visible(PATH).length).toBeLessThan(2_000);
    expect((await afterwards('power is lost')).at(-1)).toBe('new');
  });

  it('grows beyond its size limit rather than drop needed values, and then rotates rarely', async () => {
    const journal = await open(500);
    const rotations = (): number => machine.disk.count('replace');
    const before = rotations();
    for (let count = 0; count < 200; count += 1) {
      await machine.until(journal.append('needed '.repeat(30)));
    }
    expect(await afterwards('power is lost')).toHaveLength(200);
    expect(rotations() - before).toBeLessThan(20);
  });

  it('ENG-J4: rejects a value that a failing disk did not write, and all values after it', async () => {
    const journal = await open();
    await machine.until(journal.append('a'));
    machine.faults = { failure: 1, slowness: 0 };
    const failed = [journal.append('b'), journal.append('c')].map(codeOf);
    expect(await machine.until(Promise.all(failed))).toEqual(['LHE009', 'LHE009']);
    machine.faults = { failure: 0, slowness: 0 };
    expect(await machine.until(codeOf(journal.append('d')))).toBe('LHE009');
    await machine.until(journal.close());
    expect((await afterwards('power is lost'))[0]).toBe('a');
  });

  it('ENG-J3: makes values that a failed sync left readable durable on opening', async () => {
    const journal = await open();
    machine.disk.failNext('sync');
    expect(await machine.until(codeOf(journal.append('a')))).toBe('LHE009');
    await machine.until(journal.close());
    const next = await open();
    expect(index.values).toEqual(['a']);
    await machine.until(next.append('b'));
    expect(await afterwards('power is lost')).toEqual(['a', 'b']);
  });

  it('waits on closing for appended values, and rejects later ones', async () => {
    const journal = await open();
    const appended = journal.append('a');
    const closed = journal.close();
    expect(await machine.until(codeOf(journal.append('b')))).toBe('LHE009');
    await machine.until(Promise.all([appended, closed]));
    await open();
    expect(index.values).toEqual(['a']);
  });

  it('takes as many values into one line as have together at most 1 MiB, and at least one', async () => {
    const journal = await open();
    const appends = [1, 700_000, 348_572, 1, 900_000, 200_000, 1].map((length) =>
      journal.append('x'.repeat(length)),
    );
    await machine.until(Promise.all(appends));
    expect(batches().map((batch) => batch.map((value) => String(value).length))).toEqual([
      [1],
      [700_000, 348_572],
      [1, 900_000],
      [200_000, 1],
    ]);
    await afterwards('power is lost');
    expect(batches().map((batch) => batch.length)).toEqual([2, 2, 1, 2]);
  });

  it('writes a value alone that is longer than a line, where it takes such values', async () => {
    await open();
    machine.kill(process, 'power stays');
    process = machine.start();
    const { files, processes } = process;
    const options = { files, processes, folder: '/state', index, maxValueBytes: 3_000_000 };
    const journal = await machine.until(Journal.open(options));
    const lengths = [1, 2_000_000, 1_500_000, 1];
    const appends = lengths.map((length) => journal.append('x'.repeat(length)));
    await machine.until(Promise.all(appends));
    expect(batches().map((batch) => batch.map((value) => String(value).length))).toEqual(
      lengths.map((length) => [length]),
    );
  });

  it('rotates when a line would make the file longer than its limit, down to half of it', async () => {
    const journal = await open(1_000);
    index.forget = () => true;
    const bytes = (value: string): number => encodeLine([encodeValue(value)]).length;
    const value = 'x'.repeat(1_000 - 3 * bytes(''));
    for (const one of [value, '', '']) await machine.until(journal.append(one));
    expect([index.asked, machine.disk.visible(PATH).length]).toEqual([[1_000], 1_000]);
    await machine.until(journal.append(''));
    expect([index.asked, machine.disk.visible(PATH).length]).toEqual([[1_000, 500], bytes('')]);
  });

  it('says why it takes no more, and what to do', async () => {
    const journal = await open();
    machine.disk.failNext('sync');
    const failed = await machine.until(refusalOf(journal.append('a')));
    expect(failed).toMatch(
      /^LifehookError: error LHE009: The journal accepts no more records, because it could not be written \(.+\)\. Next: Make sure that the disk is writable and has space, then open the journal again\.$/u,
    );
    await machine.until(journal.close());
    const next = await open();
    await machine.until(next.close());
    expect(await refusalOf(next.append('a'))).toBe(
      'LifehookError: error LHE009: The journal accepts no more records, because it is closed. Next: Make sure that the disk is writable and has space, then open the journal again.',
    );
  });

  it('refuses a value that is too large, and values beyond the queue limit', async () => {
    const journal = await open();
    expect(await refusalOf(journal.append('x'.repeat(MAX_VALUE_BYTES)))).toBe(
      'LifehookError: error LHE011: A record holds at most 1048576 bytes; this one has 1048578. Next: Keep less in one record: less output, a smaller object, or several instead of one.',
    );
    await machine.until(journal.append('x'.repeat(MAX_VALUE_BYTES - 2)));
    const appends = Array.from({ length: MAX_WAITING + 1 }, async (_, value) =>
      codeOf(journal.append(value)),
    );
    expect(await refusalOf(journal.append('one more'))).toBe(
      'LifehookError: error LHE010: 10000 records wait for the disk, and no more may wait: the disk is too slow. Next: Start fewer runs at a time, or move the journal to a faster disk.',
    );
    expect(new Set(await machine.until(Promise.all(appends)))).toEqual(new Set(['done']));
  });

  it('removes the half-written file of a killed rotation on opening', async () => {
    machine.disk.overwrite('/state/.lifehook-7-abc.tmp', 'half');
    machine.disk.overwrite('/state/a.lifehook-7-abc.tmp', 'of a user');
    machine.disk.overwrite('/state/.lifehook-7-abc.tmp.old', 'of a user');
    await open();
    expect(await machine.until(process.files.list('/state'))).toEqual([
      'a.lifehook-7-abc.tmp',
      '.lifehook-7-abc.tmp.old',
      'writer.1.lock',
      'journal.jsonl',
    ]);
  });

  it('refuses a journal that is damaged in its middle, and releases its directory', async () => {
    const journal = await open();
    await machine.until(journal.append('a'));
    await machine.until(journal.append('b'));
    machine.disk.overwrite(PATH, machine.disk.visible(PATH).replace('"a"', '"z"'));
    machine.kill(process, 'power stays');
    await expect(open()).rejects.toThrow('/state/journal.jsonl:1:1: error LHE007');
    await expect(open()).rejects.toThrow('LHE007');
  });
});
