/**
 * Simulates how a process changes files: in steps. Between two steps, the process can be killed or another process can
 * run. A step can fail, or find the disk full. An interrupted change leaves the effect of its earlier steps.
 */
import { posixError } from '../../../src/platform/posix-error.ts';
import type { Host } from './host.ts';
import type { HostProcess } from './host-process.ts';

export interface Step {
  readonly apply: () => void;
  /** Error with which the step may fail; absent: it cannot fail. */
  readonly fails?: 'ENOSPC' | 'EIO';
  /** Effect of a failed or interrupted step; absent: none. */
  readonly partly?: () => void;
}

export interface Change {
  readonly what: string;
  readonly steps: readonly Step[];
  /** Called after the change has failed. */
  readonly undo?: () => void;
}

/** Resolves when all steps are done; never resolves if the process is killed. */
export function makeChange(host: Host, process: HostProcess, change: Change): Promise<void> {
  if (!process.alive) return never();
  if (process.death.chance(host.deathDice, process.deathChance)) {
    dieWithin(host, process, change);
    return never();
  }
  return new Promise((resolve, reject) => {
    takeSteps(host, process, { change, from: 0, resolve, reject });
  });
}

/** Kills the process after a random number of steps, from none to all. */
function dieWithin(host: Host, process: HostProcess, { what, steps }: Change): void {
  const done = host.deathDice.between(0, steps.length);
  host.world.note(`${nameOf(process)} is killed at step ${done} of ${steps.length} of: ${what}`);
  try {
    for (const step of steps.slice(0, done)) step.apply();
    steps[done]?.partly?.();
  } catch {
    // Ignored: the process is killed next, so it cannot see the error.
  }
  host.kill(process);
}

interface Taking {
  readonly change: Change;
  readonly from: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

function takeSteps(host: Host, process: HostProcess, taking: Taking): void {
  const { change, from, resolve, reject } = taking;
  const { steps, undo } = change;
  // Mostly, all remaining steps happen together. Sometimes another process runs between two steps.
  const upTo = host.random.chance(APART) ? from + 1 : steps.length;
  const pausedMs = process.pausedUntilMs - host.world.elapsedMs;
  host.world.after(Math.max(pausedMs, delayMs(host)), () => {
    if (!process.alive) return;
    try {
      for (const step of steps.slice(from, upTo)) take({ host, process, step, change });
    } catch (error) {
      undo?.();
      reject(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    if (upTo >= steps.length) resolve();
    else takeSteps(host, process, { ...taking, from: upTo });
  });
}

interface Taken {
  readonly host: Host;
  readonly process: HostProcess;
  readonly step: Step;
  readonly change: Change;
}

function take({ host, process, step, change: { what } }: Taken): void {
  const failure = failureOf(host, step);
  if (failure === null) {
    step.apply();
    return;
  }
  step.partly?.();
  process.failures += 1;
  host.watch.onRefused?.(process, what);
  host.world.note(`${nameOf(process)}: ${what} fails with ${failure}`);
  throw posixError(failure, `${failure}: simulated, ${what}`);
}

function failureOf(host: Host, { fails }: Step): 'ENOSPC' | 'EIO' | null {
  const { faults, disk } = host;
  if (fails === 'ENOSPC')
    return disk.full.chance(disk.dice, faults.full ? 1 : faults.shortage) ? fails : null;
  if (fails !== 'EIO') return null;
  return disk.sync.chance(disk.dice, faults.syncFailure) ? fails : null;
}

function delayMs(host: Host): number {
  const { faults, disk, random, world } = host;
  if (!disk.slow.chance(disk.dice, faults.slowness)) return random.fraction() * USUAL_MS;
  const ms = disk.dice.between(0, SLOW_MS);
  host.slowUntilMs = Math.max(host.slowUntilMs, world.elapsedMs + ms);
  return ms;
}

const APART = 0.1;
const USUAL_MS = 2;
/** Maximum duration of a change whose steps happen together, in milliseconds. */
export const SLOW_MS = 1_500;

function nameOf({ pid, argv }: HostProcess): string {
  return `process ${pid} (${argv[0] ?? ''})`;
}

/** A promise for a process that has exited: it never settles. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
