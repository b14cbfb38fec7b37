/**
 * Judges what happens after a user has interrupted a command:
 *
 *  ENG-E7 No further hook of create or start begins, even if the signal arrived between two hooks.
 *  OCI-D6 A signal for `run` reaches its program, even if it arrived before the program began.
 */
import type { Point } from '../../../src/lifecycles/container/life/container.ts';
import type { Signal } from '../../../src/platform/platform.ts';
import { SLOW_MS } from '../host/host-changes.ts';
import type { HostProcess } from '../host/host-process.ts';
import type { Account, Creation } from './account.ts';
import type { Command } from './commands.ts';

/** Maximum time that `run` needs to find its program and signal it, in milliseconds. */
const PASSED_ON_MS = 200;
/** Points of the deletion, whose hooks a cancellation does not stop. */
const OF_END: ReadonlySet<Point> = new Set<Point>(['postexit', 'poststop']);

/**
 * Judges a hook that begins after a cancellation. Call when a hook begins. The hook's parent is a runner, and the
 * runner's parent is the command.
 */
export function judgeCancelled(
  account: Account,
  { name, point }: { readonly name: string; readonly point: Point },
  { parent }: HostProcess,
): void {
  const command = parent === null ? undefined : account.runners.get(parent)?.command;
  const atMs = command === undefined ? undefined : account.cancelled.get(command);
  if (atMs === undefined || OF_END.has(point)) return;
  const lateMs = account.world.elapsedMs - atMs;
  account.world.violate('ENG-E7', `${name} began ${lateMs.toFixed(1)} ms after a Ctrl-C`);
}

/** Records a signal that a command has caught from its user. */
export function noteSignal(account: Account, command: Command, signal: Signal): void {
  const { process, verb, creation } = command;
  if (!process.alive) return;
  if (signal !== 'SIGUSR1') account.cancelled.set(process, account.world.elapsedMs);
  if (verb !== 'run' || creation === null) return;
  creation.wanted.push({ signal, by: process });
  expectPassedOn(account, creation);
}

/** Expects that each caught signal reaches the program. Call when a signal was caught, and when the program starts. */
export function expectPassedOn(account: Account, creation: Creation): void {
  const { world, host } = account;
  if (creation.phase !== 'running' || creation.wanted.length === 0) return;
  const wanted = [...creation.wanted];
  const sinceMs = world.elapsedMs;
  const judge = (): void => {
    const { held, deleted, id, n, disturbed } = creation;
    if (held?.alive !== true || deleted || disturbed) return;
    const signals = account.signals.get(held) ?? [];
    for (const { signal, by } of wanted) {
      account.require(signals.includes(signal) || !by.alive, 'OCI-D6', () => {
        return `${signal} for run ${id} (${n}) does not reach its program`;
      });
    }
  };
  world.after(PASSED_ON_MS, () => {
    // `run` releases the lock of the container before it passes signals on, which takes longer on a slow disk.
    if (host.slowUntilMs > sinceMs) world.after(4 * SLOW_MS, judge);
    else judge();
  });
}
