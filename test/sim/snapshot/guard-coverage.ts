import type { CoverageRules } from '../coverage-rules.ts';
import { snapshotCoverage, whenFrozen } from './coverage.ts';

const NEVER_READY = 'storage never ready';

/** Faults of other clients' snapshots with a guard, and actions of users on the guard. */
const GUARDED = [
  'client disconnects',
  'snapshot refused afterwards',
  'server stops before it stores',
  'snapshot stored late',
  'snapshot stored without an answer',
  'SnapshotGuard edited',
  'SnapshotGuard deleted',
  'PersistentVolumeClaim deleted',
];

export const guardCoverage: CoverageRules = {
  ...snapshotCoverage,
  faults: [...snapshotCoverage.faults, NEVER_READY, ...GUARDED],
  impossible: [...snapshotCoverage.impossible, whenFrozen([NEVER_READY])],
  plans: [...snapshotCoverage.plans, 'asked at a freeze', 'asked at a cut'],
};
