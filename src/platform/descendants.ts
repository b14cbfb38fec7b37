/**
 * Finds the living descendants of this process in the process table (proc(5)). The mounted table may be that of an
 * outer PID namespace, as for createContainer hooks; then process ids are translated.
 *
 * The result is a snapshot: processes forked meanwhile are missing.
 */
import { codeOf, isSystemFailure } from './posix-error.ts';

/** Both functions throw if the system lacks file descriptors or memory: then nothing is known about the processes. */
export interface ProcReader {
  /** The names in this directory of /proc; empty if it does not exist. */
  list(folder: string): readonly string[];
  /** The text of a file in /proc; null if its process has exited or may not be inspected. */
  read(path: string): string | null;
}

/** A reader from functions that throw every failure. A process may exit between two reads of its state. */
export function tolerantReader(strict: ProcReader): ProcReader {
  return {
    list: (folder) => orElse([], () => strict.list(folder)),
    read: (path) => orElse(null, () => strict.read(path)),
  };
}

function orElse<T>(otherwise: T, look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (codeOf(error) === null || isSystemFailure(error)) throw error;
    return otherwise;
  }
}

/** Maximum number of times that the children of a process are read while its threads end. */
const READS_MAX = 3;

/**
 * The direct children of a process. A thread may have children of its own. If a thread ends meanwhile, its children
 * become those of another thread, perhaps of one that was read before: then all threads are read again.
 */
export function directChildren(proc: ProcReader, pid: number): number[] {
  const tasks = `/proc/${pid}/task`;
  const found = new Set<number>();
  for (let reads = 0; reads < READS_MAX; reads += 1) {
    const texts = proc.list(tasks).map((task) => proc.read(`${tasks}/${task}/children`));
    for (const text of texts.flatMap((one) => (one ?? '').split(' '))) {
      if (text !== '') found.add(Number(text));
    }
    if (!texts.includes(null)) break;
  }
  return [...found];
}

export interface Descendant {
  /** The process id in the PID namespace of this process. */
  readonly pid: number;
  readonly group: number;
  /** The process id in the mounted table; together with the start time it identifies one process for ever. */
  readonly number: number;
  readonly started: string;
  /** Name of its program, at most 15 characters. */
  readonly name: string;
}

export interface DescendantQuestion {
  /** These processes and their descendants are not included. */
  readonly except: ReadonlySet<number>;
  /** Descendants that were found before: they are included while they live, even if their parents have exited. */
  readonly known?: readonly Descendant[];
}

export function livingDescendants(
  proc: ProcReader,
  { except, known = [] }: DescendantQuestion,
): Descendant[] {
  const table = readTable(proc);
  const self = Number.parseInt(textOf(proc, '/proc/self/stat'), 10);
  const level = namespaceNumbers(textOf(proc, '/proc/self/status'), 'NSpid').length - 1;
  const still = known.filter(({ number, started }) => table.starts.get(number) === started);
  const pending = [...childrenOf(table, self), ...still.map(({ number }) => number)];
  const found = new Map<number, Descendant>();
  for (let number = pending.pop(); number !== undefined; number = pending.pop()) {
    const one = describe(proc, table, { number, level });
    if (one === null || except.has(one.pid) || found.has(number)) continue;
    found.set(number, one);
    pending.push(...childrenOf(table, number));
  }
  return [...found.values()];
}

/** The process with its identity. null: the process has exited meanwhile. */
function describe(
  proc: ProcReader,
  { starts, names }: Table,
  { number, level }: { number: number; level: number },
): Descendant | null {
  const status = textOf(proc, `/proc/${number}/status`);
  const pid = namespaceNumbers(status, 'NSpid')[level];
  const group = namespaceNumbers(status, 'NSpgid')[level];
  if (pid === undefined || group === undefined) return null;
  const [started = '', name = ''] = [starts.get(number), names.get(number)];
  return { pid, group, number, started, name };
}

function childrenOf({ children }: Table, number: number): readonly number[] {
  return children.get(number) ?? [];
}

function textOf(proc: ProcReader, path: string): string {
  return proc.read(path) ?? '';
}

interface Table {
  readonly children: ReadonlyMap<number, readonly number[]>;
  readonly starts: ReadonlyMap<number, string>;
  readonly names: ReadonlyMap<number, string>;
}

/**
 * Leaves out zombies, which have exited and have no children. If other threads live, only the main thread has exited.
 */
function readTable(proc: ProcReader): Table {
  const children = new Map<number, number[]>();
  const starts = new Map<number, string>();
  const names = new Map<number, string>();
  for (const name of proc.list('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = textOf(proc, `/proc/${name}/stat`);
    // `pid (name) state ppid …`: the name may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent] = fields;
    const hasExited = state === 'X' || (state === 'Z' && Number(fields[THREADS_FIELD]) <= 1);
    if (parent === undefined || hasExited) continue;
    const siblings = children.get(Number(parent)) ?? [];
    siblings.push(Number(name));
    children.set(Number(parent), siblings);
    starts.set(Number(name), fields[START_FIELD] ?? '');
    names.set(Number(name), stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')));
  }
  return { children, starts, names };
}

/** Fields 20 and 22 of stat; the indexes count from field 3, the first one after the name. */
const THREADS_FIELD = 17;
const START_FIELD = 19;

/** One number for each PID namespace, from the namespace of the mounted table to the innermost one. */
function namespaceNumbers(status: string, field: 'NSpid' | 'NSpgid'): number[] {
  const start = status.indexOf(`\n${field}:`);
  if (start === -1) return [];
  const [, line = ''] =
    status
      .slice(start + 1)
      .split('\n', 1)[0]
      ?.split(':') ?? [];
  return line.trim().split(/\s+/).map(Number);
}
