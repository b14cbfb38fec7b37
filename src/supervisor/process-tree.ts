/**
 * All processes of a container, by descent. The supervisor is their subreaper: whoever loses its parent,
 * also by leaving its session and group, becomes the supervisor's own child, so nobody gets away.
 *
 * Under Node there is no subreaper: a process that left the group of the first one (setsid) and lost
 * its parent is then out of reach. Other systems than Linux show no descent: there the group is all.
 * Runs natively too: nothing here that QuickJS lacks.
 */
import type { SupervisorHost } from '../platform/supervisor-host.ts';
import type { Signal } from '../platform/platform.ts';
import { sleep } from '../platform/sleep.ts';

export interface Family {
  /** The container's first process; null: it has not been started. */
  readonly first: number | null;
}

/**
 * KILL reaches everybody. Any other signal is for the first process alone, as in a container of a real
 * node: what it started hears of it from it, or is killed when it has ended.
 */
export function signalContainer(host: SupervisorHost, family: Family, signal: Signal): void {
  if (signal === 'SIGKILL') for (const pid of members(host, family)) host.io.signal(pid, signal);
  else if (family.first !== null) host.io.signal(family.first, signal);
}

/** A killed process is gone at once, unless it is stuck in the kernel; nobody can wait for that. */
const endMaxMs = 10_000;
const endPollMs = 5;

/** KILL to whoever is left, again and again, since a process may have started another one meanwhile. */
export async function endAll(host: SupervisorHost, family: Family): Promise<void> {
  const { clock, timers, io } = host;
  const giveUpAtMs = clock.monotonicMs() + endMaxMs;
  if (family.first !== null) io.signal(-family.first, 'SIGKILL');
  while (clock.monotonicMs() < giveUpAtMs) {
    const left = descendants(host, host.pid);
    if (left.length === 0) return;
    for (const pid of left) io.signal(pid, 'SIGKILL');
    await sleep(timers, endPollMs);
  }
}

/** One command in the container, with all that it started. */
export function endVisitor(host: SupervisorHost, pid: number): void {
  const left = descendants(host, pid);
  host.io.signal(-pid, 'SIGKILL');
  for (const one of left) host.io.signal(one, 'SIGKILL');
}

/** The commands that were started in it are among them. */
function members(host: SupervisorHost, { first }: Family): readonly number[] {
  const all = new Set(first === null ? [] : [first]);
  for (const root of [...all, ...host.io.childrenOf(host.pid)]) {
    all.add(root);
    for (const pid of descendants(host, root)) all.add(pid);
  }
  return [...all];
}

function descendants({ io }: SupervisorHost, root: number): number[] {
  const found: number[] = [];
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    const children = io.childrenOf(pid);
    found.push(...children);
    open.push(...children);
  }
  return found;
}
