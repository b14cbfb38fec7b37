/**
 * OCI-K1 and ENG-C1: only processes that may get a signal get one. ENG-C2: each process of a hook gets TERM or INT
 * before KILL.
 */
import type { Point } from '../../../src/lifecycles/container/life/container.ts';
import type { Signal } from '../../../src/platform/platform.ts';
import type { HostProcess } from '../host/host-process.ts';
import { type Account, type Creation, findRun, type HookRun, REPORTED_MS } from './account.ts';

export function judgeSignal(account: Account, signal: Signal, target: HostProcess): void {
  const { argv, pid } = target;
  const [name, n, point, index] = argv;
  const earlier = account.signals.get(target) ?? [];
  account.signals.set(target, [...earlier, signal]);
  account.require(name !== 'other', 'OCI-K1', () => `process ${pid} of another user got ${signal}`);
  if (name !== 'daemon') return;
  const creation = account.ofNumber(Number(n));
  const run = findRun(creation, point as Point, Number(index));
  if (run === undefined) return;
  const isAsked = signal !== 'SIGKILL' || earlier.length > 0;
  account.require(isAsked, 'ENG-C2', () => {
    return `the daemon ${pid} of ${point} #${index} got ${signal} without TERM before`;
  });
  if (!endedByItself(run)) return;
  const mayBeLate = account.world.elapsedMs >= deadlineMs(creation, run) - REPORTED_MS;
  account.require(
    mayBeLate || wasCancelled(creation, run) || wasAbandoned(account, run),
    'ENG-C1',
    () => `the daemon ${pid} of ${point} #${index} got ${signal}`,
  );
}

function endedByItself({ process }: HookRun): boolean {
  return process.exit !== null && process.exit.signal === null;
}

/** True if the command was interrupted before the runner saw the hook's end. All processes of the hook then end. */
function wasCancelled({ cancelsMs }: Creation, { beganMs, endedMs }: HookRun): boolean {
  return cancelsMs.some((atMs) => atMs >= beganMs && atMs <= (endedMs ?? Infinity) + REPORTED_MS);
}

/**
 * True if the command of the runner was killed before the runner saw the hook's end. A deletion then ends all processes
 * of the hook.
 */
function wasAbandoned({ runners, world }: Account, { process, endedMs }: HookRun): boolean {
  const runner = process.parent === null ? undefined : runners.get(process.parent);
  const isSeen = world.elapsedMs > (endedMs ?? Infinity) + REPORTED_MS;
  return runner?.command.alive === false && !isSeen;
}

function deadlineMs({ plan }: Creation, { point, index, beganMs }: HookRun): number {
  return beganMs + (plan.hooks[point][index]?.timeout ?? Infinity) * 1_000;
}
