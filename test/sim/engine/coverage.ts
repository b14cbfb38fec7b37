import type { CoverageRules } from '../coverage-rules.ts';
import { PHASES } from './phases.ts';

export const engineCoverage: CoverageRules = {
  phases: PHASES,
  faults: [
    'process killed',
    'power lost',
    'clock set',
    'disk slow',
    'disk full',
    'sync fails',
    'run cancelled',
    'handler rejects',
    'handler throws',
    'handler times out',
    'handler hangs',
    'handler late',
    'listener breaks',
  ],
  plans: ['short life', 'no power', 'cancellation'],
  impossible: [
    {
      faults: [
        'handler rejects',
        'handler throws',
        'handler times out',
        'handler hangs',
        'handler late',
      ],
      phases: [
        'not opened',
        'before an intent',
        'intent written',
        'ended, not recorded',
        'settled',
      ],
      why: 'What a handler does begins its attempt, and is its end.',
    },
  ],
};
