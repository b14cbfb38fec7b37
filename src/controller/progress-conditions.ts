/**
 * The conditions by which kstatus judges an object of a kind that it does not know; Flux, Config Sync and `kubectl`
 * plugins use kstatus. Stalled means Failed. Reconciling, or a false Ready, means InProgress. Without any of these the
 * object is Current (CTRL-K4). Pure.
 */
import type { Reported } from './conditions.ts';

export interface Progress {
  /** Failed: only a user or another object can resolve the failure. */
  readonly verdict: 'Current' | 'InProgress' | 'Failed';
  readonly reason: string;
  readonly message: string;
}

export function progressConditions({ verdict, reason, message }: Progress): Reported[] {
  const condition = (type: string, value: boolean): Reported => ({
    type,
    status: value ? 'True' : 'False',
    reason,
    message,
  });
  return [
    condition('Ready', verdict === 'Current'),
    condition('Reconciling', verdict === 'InProgress'),
    condition('Stalled', verdict === 'Failed'),
  ];
}
