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
    'webhook changes the pod',
    'webhook changes the status',
    'disk full',
    'reference created late',
    'reference missing',
    'namespace terminates',
  ],
  plans: [],
  impossible: [
    {
      faults: ['preparation slow', 'preparation fails', 'start slow', 'program missing'],
      phases: ['pending', 'postStart', 'running', 'preStop', 'stopping', 'ended', 'over'],
      why: 'Only a container that is starting is prepared and started.',
    },
    {
      faults: ['postStart fails', 'postStart hangs'],
      phases: ['pending', 'starting', 'running', 'preStop', 'stopping', 'ended', 'over'],
      why: 'What a hook does is chosen when it begins.',
    },
    {
      faults: ['preStop fails', 'preStop hangs'],
      phases: ['pending', 'starting', 'postStart', 'running', 'stopping', 'ended', 'over'],
      why: 'What a hook does is chosen when it begins.',
    },
    {
      faults: ['probe fails', 'probe slow'],
      phases: ['pending', 'starting', 'postStart', 'preStop', 'stopping', 'ended', 'over'],
      why: 'Probes begin after the postStart hook, and end when the container is to stop.',
    },
    {
      faults: ['webhook changes the pod', 'reference created late'],
      phases: PHASES.filter((phase) => phase !== 'pending'),
      why: 'It happens when the pod is created.',
    },
    {
      faults: ['record fails'],
      phases: ['pending', 'over'],
      why: 'Only hooks are recorded, and they run in a container.',
    },
  ],
};
