/**
 * Makes a kill of a process group reach all descendants of its leader: a child that left the group by setsid is killed
 * at the deadline too. The caller must be a child subreaper, so that an orphan stays its descendant; where no subreaper
 * exists (Node), only processes whose parents lived at the deadline are reached.
 */
import type { Descendant } from '../../../platform/descendants.ts';
import { asError } from '../../../platform/error-text.ts';
import type { Processes, RunningProcess, Signal } from '../../../platform/platform.ts';
import { isSystemFailure } from '../../../platform/posix-error.ts';
import type { ShimProcesses } from '../../../platform/supervision.ts';

export function wholeTree(processes: Processes, supervision: ShimProcesses): Processes {
  return {
    spawn: (spec) => {
      // A process that an earlier hook has left in the background is legitimate and keeps running.
      let before: ReadonlySet<number>;
      try {
        before = new Set(supervision.descendants({ except: none }).map(({ pid }) => pid));
      } catch (error) {
        return notStarted(asError(error));
      }
      return treeOf(processes.spawn(spec), supervision, before);
    },
  };
}

function notStarted(reason: Error): RunningProcess {
  return {
    pid: 0,
    exited: Promise.reject(reason),
    signalGroup: () => undefined,
    groupAlive: () => false,
  };
}

const none: ReadonlySet<number> = new Set();
/**
 * Maximum number of SIGKILL rounds. Each round finds the processes that were forked since the previous one, and those
 * that have not exited yet.
 */
const killRoundsMax = 100;

/** The process together with its descendants, except for descendants that existed before it. */
export function treeOf(
  running: RunningProcess,
  supervision: ShimProcesses,
  before: ReadonlySet<number> = none,
): RunningProcess {
  let known: readonly Descendant[] = [];
  const reached = new Map<string, Descendant>();
  let isKilled = true;
  // null: the system lacks the resources to list them.
  const look = (): readonly Descendant[] | null => {
    try {
      known = supervision.descendants({ except: before, known });
      return known;
    } catch (error) {
      if (!isSystemFailure(error)) throw error;
      return null;
    }
  };
  const signalAll = (descendants: readonly Descendant[], signal: Signal): void => {
    for (const one of descendants) {
      if (one.group !== running.pid) reached.set(`${one.number} ${one.started}`, one);
      supervision.signalProcess(one.pid, signal);
    }
  };
  /** Returns false if the descendants cannot be listed. */
  const kill = (): boolean => {
    for (let round = 0; round < killRoundsMax; round += 1) {
      const left = look();
      if (left === null) return false;
      if (left.length === 0) break;
      signalAll(left, 'SIGKILL');
    }
    return true;
  };
  return {
    pid: running.pid,
    exited: running.exited,
    signalGroup: (signal) => {
      const outside = (look() ?? []).filter(({ group }) => group !== running.pid);
      running.signalGroup(signal);
      signalAll(outside, signal);
      if (signal === 'SIGKILL') isKilled = kill();
    },
    groupAlive: () => running.groupAlive() || look()?.length !== 0,
    finishKill: () => {
      if (!isKilled) isKilled = kill();
      return isKilled;
    },
    reached: () => [...reached.values()].map(({ pid, name }) => `${pid} (${printable(name)})`),
  };
}

/** Replaces characters that are not printable ASCII: a process can give itself any name. */
function printable(name: string): string {
  return name.replaceAll(/[^\x20-\x7e]/g, '?');
}
