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
  ],
  plans: ['short life'],
  impossible: [],
};
