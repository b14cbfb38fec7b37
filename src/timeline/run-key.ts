/** Groups spans by run, and finds the span of a whole run. Pure. */
import type { Bar } from './bar.ts';

/**
 * Equal for all spans of one run, and for all lives of containers with the same name. Each Deployment counts its
 * rollouts separately, and each namespace has its own names of snapshots and pods.
 */
export function runKeyOf({ lifecycle, run, lane }: Bar): string {
  switch (lifecycle) {
    case 'rollout':
      return JSON.stringify([lifecycle, run, lane]);
    case 'snapshot':
    case 'pod':
      return JSON.stringify([lifecycle, run, lane.slice(0, lane.indexOf('/'))]);
    case 'pipeline':
    case 'container':
      return JSON.stringify([lifecycle, run]);
    default:
      return lifecycle satisfies never;
  }
}

/** True: the span of a whole rollout or snapshot. */
export function isWholeRun({ lifecycle, kind, name, run }: Bar): boolean {
  return (lifecycle === 'rollout' || lifecycle === 'snapshot') && kind === 'phase' && name === run;
}
