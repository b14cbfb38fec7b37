/** Which bars belong to one run, and which of them is the run as a whole. Pure. */
import type { Bar } from './bar.ts';

/**
 * Equal for all bars of one run, and for the lives of containers with the same name. Deployments count their rollouts
 * separately, and each namespace has its own names of snapshots and pods.
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

/** The bar of a rollout or a snapshot as a whole. */
export function isWholeRun({ lifecycle, kind, name, run }: Bar): boolean {
  return (lifecycle === 'rollout' || lifecycle === 'snapshot') && kind === 'phase' && name === run;
}
