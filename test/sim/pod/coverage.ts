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
  impossible: [
    {
      faults: ['preparation slow', 'preparation fails', 'start slow', 'program missing'],
      phases: ['postStart', 'running', 'preStop', 'stopping', 'ended', 'over'],
      why: 'Only a container that is starting is prepared and started.',
    },
    {
      faults: ['postStart fails', 'postStart hangs'],
      phases: ['starting', 'running', 'preStop', 'stopping', 'ended', 'over'],
      why: 'What a hook does is chosen when it begins.',
    },
    {
      faults: ['preStop fails', 'preStop hangs'],
      phases: ['starting', 'postStart', 'running', 'stopping', 'ended', 'over'],
      why: 'What a hook does is chosen when it begins.',
    },
    {
      faults: ['probe fails', 'probe slow'],
      phases: ['starting', 'postStart', 'preStop', 'stopping', 'ended', 'over'],
      why: 'Probes begin after the postStart hook, and end when the container is to stop.',
    },
    {
      faults: ['status late', 'record fails'],
      phases: ['over'],
      why: 'A pod that is over reports and records nothing more.',
    },
  ],
  open: [],
};
