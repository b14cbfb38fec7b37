import { describe, expect, it } from 'vitest';

import {
  directChildren,
  livingDescendants,
  tolerantReader,
  type ProcReader,
} from './descendants.ts';
import { posixError } from './posix-error.ts';

interface Entry {
  readonly pid: number;
  readonly parent: number;
  readonly state?: string;
  readonly threads?: number;
  readonly started?: string;
  /** The process ids in each PID namespace; the first id is that in the namespace of the table. */
  readonly numbers: readonly number[];
  readonly groups?: readonly number[];
}

/** A process table as /proc shows it to the process `self`. */
function tableOf(self: number, entries: readonly Entry[]): ProcReader {
  const files = new Map<string, string>();
  for (const { pid, parent, numbers, groups = numbers, ...more } of entries) {
    const { state = 'S', threads = 1, started = '7' } = more;
    for (const name of pid === self ? [String(pid), 'self'] : [String(pid)]) {
      files.set(
        `/proc/${name}/stat`,
        `${pid} (a) b (c) ${state} ${parent} ${'1 '.repeat(15)}${threads} 1 ${started}`,
      );
      const lists = `NSpid:\t${numbers.join('\t')}\nNSpgid:\t${groups.join('\t')}\n`;
      files.set(`/proc/${name}/status`, `Name:\tx\n${lists}NSsid:\t1\n`);
    }
  }
  const names = ['self', 'meminfo', ...entries.map(({ pid }) => String(pid))];
  return { list: () => names, read: (path) => files.get(path) ?? null };
}

const flat = (pid: number, parent: number, more: Partial<Entry> = {}): Entry => ({
  pid,
  parent,
  numbers: [pid],
  ...more,
});
const numbersIn = (proc: ProcReader): { pid: number; group: number }[] =>
  livingDescendants(proc, { except: new Set() })
    .map(({ pid, group }) => ({ pid, group }))
    .toSorted((left, right) => left.pid - right.pid);
const pidsIn = (proc: ProcReader, except: readonly number[] = []): number[] =>
  livingDescendants(proc, { except: new Set(except) })
    .map(({ pid }) => pid)
    .toSorted((left, right) => left - right);

describe('livingDescendants', () => {
  it('finds children and their children, and no others', () => {
    const table = [flat(1, 0), flat(10, 1), flat(11, 10), flat(12, 11), flat(20, 1), flat(21, 20)];
    expect(pidsIn(tableOf(10, table))).toEqual([11, 12]);
  });

  it('gives the group of each, by which a member of the group of the leader is known', () => {
    const table = [flat(10, 1), flat(11, 10), flat(12, 11, { groups: [11] }), flat(13, 11)];
    expect(numbersIn(tableOf(10, table))).toEqual([
      { pid: 11, group: 11 },
      { pid: 12, group: 11 },
      { pid: 13, group: 13 },
    ]);
  });

  it('gives the name of each, which may hold parentheses', () => {
    const found = livingDescendants(tableOf(10, [flat(10, 1), flat(11, 10)]), {
      except: new Set(),
    });
    expect(found).toMatchObject([{ pid: 11, name: 'a) b (c' }]);
  });

  it('leaves out zombies', () => {
    const table = [flat(10, 1), flat(11, 10, { state: 'Z' }), flat(12, 10)];
    expect(pidsIn(tableOf(10, table))).toEqual([12]);
  });

  it('finds a process whose main thread has exited, and its children, while its other threads live', () => {
    const table = [flat(10, 1), flat(11, 10, { state: 'Z', threads: 2 }), flat(12, 11)];
    expect(pidsIn(tableOf(10, table))).toEqual([11, 12]);
  });

  it('leaves out the excepted processes with their descendants', () => {
    const table = [flat(10, 1), flat(11, 10), flat(12, 11), flat(13, 10)];
    expect(pidsIn(tableOf(10, table), [11])).toEqual([13]);
  });

  it('translates numbers when the table is of an outer PID namespace', () => {
    const table = [
      flat(1000, 1),
      { pid: 1010, parent: 1000, numbers: [1010, 2] },
      { pid: 1011, parent: 1010, numbers: [1011, 3], groups: [1011, 3] },
      // A child in a PID namespace of its own has a third number.
      { pid: 1012, parent: 1011, numbers: [1012, 4, 1], groups: [1011, 3, 0] },
    ];
    expect(numbersIn(tableOf(1010, table))).toEqual([
      { pid: 3, group: 3 },
      { pid: 4, group: 3 },
    ]);
  });

  it('finds a process that was known before also when its parent has ended, but no other of its number', () => {
    const table = [flat(10, 1), flat(11, 10), flat(12, 11), flat(13, 10)];
    const known = livingDescendants(tableOf(10, table), { except: new Set() });
    const later = [
      flat(1, 0),
      flat(10, 1),
      flat(12, 1),
      flat(13, 1, { started: '9' }),
      flat(14, 12),
    ];
    const found = livingDescendants(tableOf(10, later), { except: new Set(), known });
    expect(found.map(({ pid }) => pid)).toEqual([12, 14]);
  });

  it('is empty where /proc is not mounted', () => {
    expect(pidsIn({ list: () => [], read: () => null })).toEqual([]);
  });
});

it('directChildren finds the children of every thread, also if a thread has just ended', () => {
  const children: Record<string, string> = { 7: '8 9 ', 71: '', 73: '10 ' };
  const proc: ProcReader = {
    list: (folder) => (folder === '/proc/7/task' ? ['7', '71', '72', '73'] : []),
    read: (path) => children[path.split('/').at(-2) ?? ''] ?? null,
  };
  expect(directChildren(proc, 7)).toEqual([8, 9, 10]);
  expect(directChildren(proc, 8)).toEqual([]);
});

it('directChildren finds the children of a thread that ends while they are read', () => {
  const children = new Map([
    ['7', '8 '],
    ['71', '9 '],
  ]);
  const proc: ProcReader = {
    list: (folder) => (folder === '/proc/7/task' ? [...children.keys()] : []),
    read: (path) => {
      const text = children.get(path.split('/').at(-2) ?? '') ?? null;
      // The kernel gives the children of the thread that has ended to a thread that was read before.
      if (children.delete('71')) children.set('7', '8 9 ');
      return text;
    },
  };
  expect(directChildren(proc, 7)).toEqual([8, 9]);
});

describe('tolerantReader', () => {
  const failing = (code: string): ProcReader => {
    const fail = (): never => {
      throw posixError(code, `cannot read: ${code}`);
    };
    return tolerantReader({ list: fail, read: fail });
  };

  it.each(['ENOENT', 'ESRCH', 'EACCES'])('finds nothing about a process after %s', (code) => {
    expect([failing(code).list('/proc'), failing(code).read('/proc/1/stat')]).toEqual([[], null]);
    expect(directChildren(failing(code), 1)).toEqual([]);
  });

  it.each(['EMFILE', 'ENFILE', 'ENOMEM'])(
    'throws after %s, which does not mean that there are no processes',
    (code) => {
      expect(() => directChildren(failing(code), 1)).toThrow(code);
      expect(() => pidsIn(failing(code))).toThrow(code);
    },
  );
});
