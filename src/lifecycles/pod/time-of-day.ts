import type { Clock } from '../../platform/platform.ts';
import type { ContainerLife } from './facts.ts';

/** Converts times in the future from the monotonic clock, on which they are stored, to the wall clock of decisions. */
export function inTimeOfDay(life: ContainerLife, clock: Clock): ContainerLife {
  const offsetMs = clock.nowMs() - clock.monotonicMs();
  if (life.kind === 'ended') return { ...life, restartAtMs: life.restartAtMs + offsetMs };
  if (life.kind === 'unstartable') return { ...life, retryAtMs: life.retryAtMs + offsetMs };
  return life;
}
