import type { CoverageRules } from '../coverage-rules.ts';
import { WHENS } from './plan.ts';

/** Phases of sessions in which no hook runs; "none": no session is running. */
const QUIET = ['none', 'opening', 'between hooks', 'working', 'closing'] as const;

const HOOK_FAULTS = [
  'hook fails',
  'hook has no program',
  'hook hangs',
  'hook ignores TERM',
  'hook leaves a child',
  'leftover ignores TERM',
  'hook prints without end',
] as const;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'second signal'] as const;

export const pipelineCoverage: CoverageRules = {
  phases: [...QUIET, ...WHENS],
  faults: [
    ...HOOK_FAULTS,
    'kill',
    'kill at a change',
    'power lost',
    'process number reused',
    'disk full for a while',
    'disk full',
    'sync failure',
    'slow disk',
    'clock set',
    ...SIGNALS,
    'second session at once',
    'user: run',
  ],
  plans: [],
  impossible: [
    {
      faults: HOOK_FAULTS,
      phases: QUIET,
      why: 'What a hook does is counted for its own list.',
    },
    {
      faults: [
        'kill at a change',
        'disk full',
        'sync failure',
        'slow disk',
        ...SIGNALS,
        'second session at once',
      ],
      phases: ['none'],
      why: 'Without a session no file changes, and nothing is interrupted.',
    },
  ],
};
