/** The phases of the containers of a simulated pod, as its user can observe them. */
import type { PodAccount, RunAccount } from './account.ts';

export const PHASES = [
  'pending',
  'starting',
  'postStart',
  'running',
  'preStop',
  'stopping',
  'ended',
  'over',
] as const;
export type PodPhase = (typeof PHASES)[number];

/** Phases of one container. `pending`: no start of it has been requested. */
export function phasesOf(account: PodAccount, container: string): readonly PodPhase[] {
  const { pid } = account.life;
  const isStarting = account.pending.some(
    (each) => each.endedMs === null && each.life === pid && each.container === container,
  );
  if (isStarting) return ['starting'];
  const run = account.latest(container);
  return [run === undefined ? 'pending' : phaseOf(run)];
}

export function phasesIn(account: PodAccount): readonly PodPhase[] {
  if (account.lives.at(-1)?.over === true) return ['over'];
  const latest = account.containers.map(({ spec }) => account.latest(spec.name));
  const runs = latest.filter((run) => run !== undefined).map(phaseOf);
  const isStarting = account.pending.some(({ endedMs, life }) => {
    return endedMs === null && life === account.lives.at(-1)?.pid;
  });
  if (runs.length === 0 && !isStarting) return ['pending'];
  return [...new Set<PodPhase>(isStarting ? ['starting', ...runs] : runs)];
}

function phaseOf({ endedMs, calls, stops, terms }: RunAccount): PodPhase {
  if (endedMs !== null) return 'ended';
  const open = calls.filter((call) => call.endedMs === null).map(({ point }) => point);
  if (open.includes('preStop')) return 'preStop';
  if (stops.length > 0 || terms.length > 0) return 'stopping';
  return open.includes('postStart') ? 'postStart' : 'running';
}
