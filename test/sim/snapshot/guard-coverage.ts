import type { CoverageRules } from '../coverage-rules.ts';
import { snapshotCoverage, whenFrozen } from './coverage.ts';

const NEVER_READY = 'storage never ready';

/** What befalls the snapshots of other clients, whose claims a guard protects, and what users do to it. */
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
  open: [
    ...snapshotCoverage.open,
    {
      faults: ['server stops before it stores'],
      phases: ['before the freeze', 'snapshot cut'],
      why: 'A request is answered while its window is frozen: a second one has to begin, or to be cut, at that moment.',
    },
  ],
};
