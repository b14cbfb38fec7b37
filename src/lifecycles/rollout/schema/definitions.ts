/** The custom resource definitions of the rollout lifecycle, which `scripts/generate-crds.ts` writes to files. */
import {
  type DefinedKind,
  type Definition,
  definition,
} from '../../../controller/definitions/definition.ts';
import {
  specAndStatus,
  structuralSchema,
  unbounded,
} from '../../../controller/definitions/structural-schema.ts';
import { hookRunSpecSchema, hookRunStatusSchema } from './hook-run-schema.ts';
import { lifecycleSpecSchema } from './lifecycle-schema.ts';
import { lifecycleStatusSchema } from './lifecycle-status-schema.ts';
import { lifecycleRules } from './validation-rules.ts';

/** Both definitions, with the validation rules of the server. */
export function rolloutDefinitions(): readonly Definition[] {
  return KINDS.map(definition);
}

const KINDS: readonly DefinedKind[] = [
  {
    kind: 'DeploymentLifecycle',
    shortName: 'dlc',
    description: 'Hooks before, in the middle of and after the rollouts of a Deployment.',
    ...specAndStatus(lifecycleSpecSchema, lifecycleStatusSchema),
    rules: lifecycleRules,
    columns: [
      ['Deployment', 'string', '.spec.deploymentName'],
      [
        'Phase',
        'string',
        '.status.rollout.phase',
        'Phase of the open rollout, or the result of the last one.',
      ],
      ['Number', 'integer', '.status.rollout.number', 'Of that rollout.'],
      [
        'Armed',
        'string',
        '.status.conditions[?(@.type=="Armed")].status',
        'Whether there is proof that no template bypasses the hooks.',
      ],
    ],
  },
  {
    kind: 'HookRun',
    shortName: 'hr',
    description: 'Attempts and result of one stage of one rollout. Created by the controller.',
    body: () => ({
      spec: unbounded(structuralSchema(hookRunSpecSchema)),
      status: unbounded(structuralSchema(hookRunStatusSchema)),
    }),
    required: ['spec'],
    rules: {},
    columns: [
      ['Deployment', 'string', '.spec.deploymentName'],
      ['Rollout', 'integer', '.spec.rollout'],
      ['Stage', 'string', '.spec.stage'],
      ['Phase', 'string', '.status.phase', 'State of the run.'],
      ['Attempts', 'integer', '.status.attemptCount', 'Number of attempts.'],
    ],
  },
];
