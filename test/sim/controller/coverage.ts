import type { CoverageRules } from '../coverage-rules.ts';
import { PHASES } from './phases.ts';

export const controllerCoverage: CoverageRules = {
  phases: PHASES,
  faults: [
    'process killed',
    'process terminated',
    'process suspended',
    'network cut off',
    'clock set',
    'connection refused',
    'too many requests',
    'conflict',
    'request lost',
    'response lost',
    'request slow',
    'watch broken',
    'event repeated',
    'watch lagging',
    'user edits',
  ],
  plans: [],
  impossible: [],
  open: [],
};
