import { Course } from '../controller/course.ts';
import type { SimApi } from '../controller/sim-api.ts';
import type { World } from '../world.ts';
import { whatIsMissing } from './judge-end.ts';

const MAX_EVENTS = 400_000;
/** All work that is pending when the faults end is done within this time. */
const LIVENESS_MS = 3_600_000;
const LOOK_MS = 5_000;
/** Length of the final time without a write. */
const REST_MS = 20_000;
const WORKLOADS_MS = 120_000;

export interface RolloutCourse {
  readonly world: World;
  readonly api: SimApi;
  /** Except those of the Lease. */
  readonly writes: () => number;
}

export function rolloutCourse({ world, api, writes }: RolloutCourse): Course {
  return new Course({
    world,
    invariant: 'ROLL-L8',
    maxEvents: MAX_EVENTS,
    livenessMs: LIVENESS_MS,
    lookMs: LOOK_MS,
    // Deployments may still have work of their own, such as the deadline of their progress.
    confirmMs: WORKLOADS_MS,
    restMs: REST_MS,
    whatIsMissing: () => whatIsMissing(api),
    writes,
  });
}
