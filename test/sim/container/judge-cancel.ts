/**
 * Judges what happens after a user has interrupted a command:
 *
 *  ENG-E7 No hook of create or start begins, also where the signal arrived between two hooks.
 *  OCI-D6 A signal for `run` reaches its program, also one that arrived before the program began.
 */
import type { Point } from '../../../src/lifecycles/container/life/container.ts';
import type { Signal } from '../../../src/platform/platform.ts';
import { SLOW_MS } from '../host/host-changes.ts';
import type { HostProcess } from '../host/host-process.ts';
import type { Account, Creation } from './account.ts';
import type { Command } from './commands.ts';

/** Milliseconds that `run` may take to look for its program and to signal it. */
const PASSED_ON_MS = 200;
/** Most disks are slow less often than this. */
const SELDOM = 0.001;
/** Points of the deletion: a cancellation does not stop their hooks. */
const OF_END: ReadonlySet<Point> = new Set<Point>(['postexit', 'poststop']);

/** Called when a hook begins: its parent is a runner, whose parent is the command. */
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

/** Called when a command has caught a signal of its user. */
export function noteSignal(account: Account, command: Command, signal: Signal): void {
  const { process, verb, creation } = command;
  if (!process.alive) return;
  if (signal !== 'SIGUSR1') account.cancelled.set(process, account.world.elapsedMs);
  if (verb !== 'run' || creation === null) return;
  creation.wanted.push({ signal, by: process });
  expectPassedOn(account, creation);
}

/** Also called when the program of a container has started. */
export function expectPassedOn(account: Account, creation: Creation): void {
  const { world, host } = account;
  if (creation.phase !== 'running' || creation.wanted.length === 0) return;
  const wanted = [...creation.wanted];
  // The lock of the container is released before signals are passed on.
  const isSlow = host.faults.slowness > SELDOM;
  world.after(isSlow ? PASSED_ON_MS + 4 * SLOW_MS : PASSED_ON_MS, () => {
    const { held, deleted, id, n, disturbed } = creation;
    if (held?.alive !== true || deleted || disturbed) return;
    const signals = account.signals.get(held) ?? [];
    for (const { signal, by } of wanted) {
      account.require(signals.includes(signal) || !by.alive, 'OCI-D6', () => {
        return `${signal} for run ${id} (${n}) does not reach its program`;
      });
    }
  });
}
