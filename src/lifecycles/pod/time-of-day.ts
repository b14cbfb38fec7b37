import type { Clock } from '../../platform/platform.ts';
import type { ContainerLife } from './facts.ts';

/** Waits are kept in a time that nobody sets, and are decided upon in the time of day. */
export function inTimeOfDay(life: ContainerLife, clock: Clock): ContainerLife {
  const offsetMs = clock.nowMs() - clock.monotonicMs();
  if (life.kind === 'ended') return { ...life, restartAtMs: life.restartAtMs + offsetMs };
  if (life.kind === 'unstartable') return { ...life, retryAtMs: life.retryAtMs + offsetMs };
  return life;
}
