/** The custom resource definitions of the rollout lifecycle; `scripts/generate-crds.ts` writes them to files. */
import {
  AGE,
  type DefinedKind,
  type Definition,
  definition,
} from '../../../controller/definitions/definition.ts';
import { structuralSchema, unbounded } from '../../../controller/definitions/structural-schema.ts';
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
    body: () => ({
      spec: structuralSchema(lifecycleSpecSchema),
      status: unbounded(structuralSchema(lifecycleStatusSchema)),
    }),
    required: ['spec'],
    rules: lifecycleRules,
    columns: [
      { name: 'Deployment', type: 'string', jsonPath: '.spec.deploymentName' },
      {
        name: 'Phase',
        type: 'string',
        jsonPath: '.status.rollout.phase',
        description: 'Where the open rollout is, or how the last one ended.',
      },
      {
        name: 'Number',
        type: 'integer',
        jsonPath: '.status.rollout.number',
        description: 'Of that rollout.',
      },
      {
        name: 'Armed',
        type: 'string',
        jsonPath: '.status.conditions[?(@.type=="Armed")].status',
        description: 'Whether it is proven that no template gets past the hooks.',
      },
      AGE,
    ],
  },
  {
    kind: 'HookRun',
    shortName: 'hr',
    description: 'What one stage of one rollout runs, and what came of it. Made by the controller.',
    body: () => ({
      spec: unbounded(structuralSchema(hookRunSpecSchema)),
      status: unbounded(structuralSchema(hookRunStatusSchema)),
    }),
    required: ['spec'],
    rules: {},
    columns: [
      { name: 'Deployment', type: 'string', jsonPath: '.spec.deploymentName' },
      { name: 'Rollout', type: 'integer', jsonPath: '.spec.rollout' },
      { name: 'Stage', type: 'string', jsonPath: '.spec.stage' },
      {
        name: 'Phase',
        type: 'string',
        jsonPath: '.status.phase',
        description: 'State of the run.',
      },
      {
        name: 'Attempts',
        type: 'integer',
        jsonPath: '.status.attemptCount',
        description: 'Number of attempts.',
      },
      AGE,
    ],
  },
];
