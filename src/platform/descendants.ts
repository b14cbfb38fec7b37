/**
 * The living descendants of this process, from the process table as files (proc(5)). The mounted table
 * may be that of an outer PID namespace, as it is for createContainer hooks: numbers are translated.
 *
 * It is a snapshot: who forks meanwhile is missing from it.
 */
export interface ProcReader {
  /** The names in /proc; empty where it is not mounted. */
  list(): readonly string[];
  /** The text of a file in /proc; null when its process has ended or may not be looked at. */
  read(path: string): string | null;
}

/** With the numbers that this process knows them by. */
export interface Descendant {
  readonly pid: number;
  readonly group: number;
}

/** Without these processes and what descends from them. */
export function livingDescendants(proc: ProcReader, except: ReadonlySet<number>): Descendant[] {
  const self = Number.parseInt(proc.read('/proc/self/stat') ?? '', 10);
  const level = namespaceNumbers(proc.read('/proc/self/status') ?? '', 'NSpid').length - 1;
  const children = childrenByParent(proc);
  const found: Descendant[] = [];
  const parents = [self];
  for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
    for (const child of children.get(parent) ?? []) {
      const status = proc.read(`/proc/${child}/status`) ?? '';
      const pid = namespaceNumbers(status, 'NSpid')[level];
      const group = namespaceNumbers(status, 'NSpgid')[level];
      if (pid === undefined || group === undefined || except.has(pid)) continue;
      found.push({ pid, group });
      parents.push(child);
    }
  }
  return found;
}

/** A zombie has ended and has no children any more. */
function childrenByParent(proc: ProcReader): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of proc.list()) {
    if (!/^\d+$/.test(name)) continue;
    const stat = proc.read(`/proc/${name}/stat`) ?? '';
    // `pid (name) state ppid …`: the name may hold spaces and parentheses.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 2);
    if (parent === undefined || state === 'Z' || state === 'X') continue;
    const siblings = children.get(Number(parent)) ?? [];
    siblings.push(Number(name));
    children.set(Number(parent), siblings);
  }
  return children;
}

/** One number for each PID namespace, from that of the mounted table to the innermost. */
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
