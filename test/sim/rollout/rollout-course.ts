import { Course } from '../controller/course.ts';
import type { SimApi } from '../controller/sim-api.ts';
import type { World } from '../world.ts';
import { whatIsMissing } from './judge-end.ts';

const MAX_EVENTS = 400_000;
/** Milliseconds within which all work that is pending at the end of the faults is done. */
const LIVENESS_MS = 3_600_000;
const LOOK_MS = 5_000;
/** Duration of the final rest without a write, in milliseconds. */
const REST_MS = 20_000;
const WORKLOADS_MS = 120_000;

export interface RolloutCourse {
  readonly world: World;
  readonly api: SimApi;
  /** Number of writes so far, except those of the Lease. */
  readonly writes: () => number;
}

export function rolloutCourse({ world, api, writes }: RolloutCourse): Course {
  return new Course({
    world,
    invariant: 'ROLL-L8',
    maxEvents: MAX_EVENTS,
    livenessMs: LIVENESS_MS,
    lookMs: LOOK_MS,
    // The Deployment may have work even when nothing is missing, for example at its progress deadline.
    confirmMs: WORKLOADS_MS,
    restMs: REST_MS,
    whatIsMissing: () => whatIsMissing(api),
    writes,
  });
}
