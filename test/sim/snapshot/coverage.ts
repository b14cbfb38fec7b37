import type { CoverageRules, Pairs } from '../coverage-rules.ts';
import { PHASES } from './phases.ts';

/** Failures that a command of any kind can have. */
const COMMANDS = [
  'command slow',
  'command fails',
  'command fails with effect',
  'command hangs',
  'exec refused',
  'exec denied',
  'exec lost before',
  'exec lost after',
  'exec never answers',
];

/** Failures that only a freeze can have. */
const FREEZES = [
  'freeze without effect',
  'session refused',
  'session denied',
  'session lost',
  'session never opens',
  'freeze in session fails',
  'freeze in session hangs',
];

const STORAGE = [
  'storage late',
  'storage silent',
  'storage fails first',
  'storage reports early',
  'content deleted',
  'volume left out',
  'volume copied',
];

/** Pairs that are impossible, because the storage is requested to cut only once. */
function whenFrozen(faults: readonly string[]): Pairs {
  return {
    faults,
    phases: ['before the freeze', 'freezing', 'snapshot cut', 'thawing', 'done'],
    why: 'The storage is asked once, when everything is frozen.',
  };
}

export const snapshotCoverage: CoverageRules = {
  phases: PHASES,
  faults: [
    'process killed',
    'process terminated',
    'process suspended',
    'network cut off',
    'replica cut off',
    'clock set',
    'clock wrong',
    'connection refused',
    'too many requests',
    'conflict',
    'request lost',
    'response lost',
    'request slow',
    'watch broken',
    'event repeated',
    'watch lagging',
    ...COMMANDS,
    ...FREEZES,
    'thaw stuck',
    'session broken',
    ...STORAGE,
    'status refused',
    'pod deleted',
    'pod evicted',
    'frozen pod deleted',
    'container restarted',
    'node lost',
    'thawed by hand',
    'ExecutionHook deleted',
    'ApplicationSnapshot deleted',
    'VolumeSnapshot deleted',
    'ExecutionHookTemplate deleted',
    'thaw asked for',
    'thaw marked as done',
    'template edited',
    'template late',
    'template missing',
    'object too large',
    'quota exceeded',
    'foreign webhook denies',
    'foreign webhook hangs',
    'requests throttled',
    'network in part',
    'conversion fails',
    'watch silent',
    'leader cut off from the server alone',
    'server put back',
    'namespace deleted',
  ],
  plans: [
    'trouble',
    'session breaks',
    'network',
    'kills',
    'replicas',
    'exec',
    'storage',
    'targets',
    'users',
    'clocks',
    'refusals',
    'terminations',
    'snapshot created',
    'hook created',
    'limits',
    'quotas',
    'webhooks',
    'throttling',
    'partialNetwork',
    'conversions',
    'silentWatches',
    'serverCuts',
    'restores',
    'namespaces',
  ],
  impossible: [
    {
      faults: [...COMMANDS, ...FREEZES],
      phases: ['before the freeze', 'frozen', 'done'],
      why: 'A command belongs to the freeze, to the thaw, or to the question after the cut.',
    },
    {
      faults: FREEZES,
      phases: ['snapshot cut', 'thawing'],
      why: 'Only a freeze opens a session, and only a freeze can be without effect.',
    },
    {
      faults: ['command fails', 'command fails with effect'],
      phases: ['snapshot cut'],
      why: 'After the cut only probes are sent, and the exit code of a probe is its answer.',
    },
    {
      faults: ['thaw stuck'],
      phases: ['before the freeze', 'freezing', 'frozen', 'snapshot cut', 'done'],
      why: 'It is a command that thaws.',
    },
    {
      faults: ['frozen pod deleted', 'thawed by hand'],
      phases: ['before the freeze'],
      why: 'Nothing is frozen yet.',
    },
    whenFrozen(STORAGE),
    {
      faults: ['template late', 'template missing'],
      phases: ['frozen', 'snapshot cut', 'thawing'],
      why: 'A hook reads its template before it freezes, and all hooks have frozen before the cut.',
    },
  ],
};

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
