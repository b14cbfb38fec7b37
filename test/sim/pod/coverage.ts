import type { CoverageRules } from '../coverage-rules.ts';
import { PHASES } from './phases.ts';

export const podCoverage: CoverageRules = {
  phases: PHASES,
  faults: [
    'pod deleted',
    'node program killed',
    'clock set',
    'status late',
    'record fails',
    'preparation slow',
    'preparation fails',
    'start slow',
    'program missing',
    'postStart fails',
    'postStart hangs',
    'preStop fails',
    'preStop hangs',
    'probe fails',
    'probe slow',
  ],
  plans: [],
  impossible: [],
};
