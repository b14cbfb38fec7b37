/**
 * All processes of a container, by descent. The supervisor is their subreaper: a process that loses its parent becomes
 * a child of the supervisor, even if it has left its session and group. So no process escapes.
 *
 * Under Node there is no subreaper: a process cannot be found if it has left the group of the first process (setsid)
 * and lost its parent. Systems other than Linux do not report parents, so only the group is known there. Also runs
 * natively: uses nothing that QuickJS lacks.
 */
import { errorText } from '../platform/error-text.ts';
import { isSystemFailure } from '../platform/posix-error.ts';
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

/**
 * Sends KILL to the remaining processes repeatedly, since one of them may have forked meanwhile. Waits without a limit
 * while they cannot be listed: one of them may still run.
 */
export async function endAll(host: SupervisorHost, family: Family): Promise<void> {
  const { clock, timers, io } = host;
  if (family.first !== null) io.signal(-family.first, 'SIGKILL');
  let isReported = false;
  for (let giveUpAtMs = clock.monotonicMs() + endMaxMs; clock.monotonicMs() < giveUpAtMs;) {
    const { found, failure } = descendants(host, host.pid);
    if (failure !== null) {
      if (!isReported) host.print('stderr', unlisted(failure));
      isReported = true;
      giveUpAtMs = clock.monotonicMs() + endMaxMs;
    } else if (found.length === 0) {
      return;
    }
    for (const pid of found) io.signal(pid, 'SIGKILL');
    await sleep(timers, endPollMs);
  }
}

/** The report in the log of the supervisor while it cannot list the processes to kill. */
export function unlisted(failure: string): string {
  return `The processes of the container cannot be listed yet: ${failure}. The supervisor retries until they can, and then kills them.\n`;
}

/**
 * Kills one command in the container and its descendants. Never rejects, since no caller waits for it, and an unhandled
 * rejection would end the supervisor, and so the container.
 */
export async function endVisitor(
  host: SupervisorHost,
  pid: number,
  isLiving: () => boolean,
): Promise<void> {
  try {
    await killVisitor(host, pid, isLiving);
  } catch (error) {
    const why = errorText(error);
    host.print(
      'stderr',
      `The command of process ${pid} was not killed: ${why}. It is killed when the container ends.\n`,
    );
  }
}

/** The descendants are found only as long as the command lives, so it is not killed before they can be listed. */
async function killVisitor(
  host: SupervisorHost,
  pid: number,
  isLiving: () => boolean,
): Promise<void> {
  while (isLiving()) {
    const { found, failure } = descendants(host, pid);
    if (failure === null) {
      host.io.signal(-pid, 'SIGKILL');
      for (const one of found) host.io.signal(one, 'SIGKILL');
      return;
    }
    await sleep(host.timers, endPollMs);
  }
}

/**
 * The processes of the container, including the commands that were started in it. Those that cannot be listed now are
 * killed after the exit of the first process.
 */
function members(host: SupervisorHost, { first }: Family): readonly number[] {
  const all = new Set(first === null ? [] : [first]);
  for (const root of [...all, host.pid]) {
    for (const pid of descendants(host, root).found) all.add(pid);
  }
  return [...all];
}

interface Descendants {
  readonly found: readonly number[];
  /** Why there may be others; null: there are none. */
  readonly failure: string | null;
}

function descendants({ io }: SupervisorHost, root: number): Descendants {
  const found: number[] = [];
  const open = [root];
  try {
    for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
      const children = io.childrenOf(pid);
      found.push(...children);
      open.push(...children);
    }
  } catch (error) {
    if (!isSystemFailure(error)) throw error;
    return { found, failure: errorText(error) };
  }
  return { found, failure: null };
}
