import type { CoverageRules } from '../coverage-rules.ts';
import { POINTS } from './plan.ts';

/** Phases of a container in its record; "none" if no container has a record. */
const RECORDED = ['none', 'creating', 'created', 'starting', 'running', 'deleting'] as const;

const HOOK_FAULTS = [
  'hook fails',
  'hook hangs',
  'hook ignores TERM',
  'hook leaves a child',
  'hook prints without end',
] as const;

export const containerCoverage: CoverageRules = {
  phases: [...RECORDED, ...POINTS],
  faults: [
    ...HOOK_FAULTS,
    'program ignores TERM',
    'kill',
    'kill at a change',
    'power lost',
    'process number reused',
    'disk full for a while',
    'disk full',
    'sync failure',
    'slow disk',
    'pause',
    'clock set',
    'cancel',
    'second command at once',
    'user: create',
    'user: start',
    'user: run',
    'user: stop',
    'user: kill',
    'user: delete',
    'user: force delete',
  ],
  plans: [],
  impossible: [
    {
      faults: HOOK_FAULTS,
      phases: RECORDED,
      why: 'What a hook does is counted for its own point.',
    },
    {
      faults: ['program ignores TERM'],
      phases: ['none', 'creating', 'created', 'running', 'deleting', ...POINTS],
      why: 'The program decides it when it begins, in start.',
    },
  ],
};
