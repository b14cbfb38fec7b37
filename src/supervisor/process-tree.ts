/**
 * All processes of a container, by descent. The supervisor is their subreaper: a process that loses its parent becomes
 * a child of the supervisor, even if it has left its session and group. So no process escapes.
 *
 * Under Node there is no subreaper: a process cannot be found if it has left the group of the first process (setsid)
 * and lost its parent. Systems other than Linux do not report parents, so only the group is known there. Also runs
 * natively: uses nothing that QuickJS lacks.
 */
import type { SupervisorHost } from '../platform/supervisor-host.ts';
import type { Signal } from '../platform/platform.ts';
import { sleep } from '../platform/sleep.ts';

export interface Family {
  /** Pid of the container's first process; null: it has not been started, or has exited. */
  readonly first: number | null;
}

/**
 * Sends KILL to every process, and any other signal only to the first one, as in a container of a real node. The first
 * process may forward a signal to its children; if not, they are killed after it has exited.
 */
export function signalContainer(host: SupervisorHost, family: Family, signal: Signal): void {
  if (signal === 'SIGKILL') for (const pid of members(host, family)) host.io.signal(pid, signal);
  else if (family.first !== null) host.io.signal(family.first, signal);
}

/**
 * Milliseconds to wait for the end of killed processes. They exit at once unless they are stuck in the kernel, and then
 * a longer wait does not help.
 */
const endMaxMs = 10_000;
const endPollMs = 5;

/** Sends KILL to the remaining processes repeatedly, since one of them may have forked meanwhile. */
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

/** Kills one command in the container and its descendants. */
export function endVisitor(host: SupervisorHost, pid: number): void {
  const left = descendants(host, pid);
  host.io.signal(-pid, 'SIGKILL');
  for (const one of left) host.io.signal(one, 'SIGKILL');
}

/** All processes of the container, including the commands that were started in it. */
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
