/**
 * The custom resource definitions of the snapshot lifecycle. `scripts/generate-crds.ts` writes them to `deploy/crds/`;
 * `lifehook install` and the local cluster use them from here.
 */
import {
  AGE,
  type DefinedKind,
  type Definition,
  definition,
} from '../../../controller/definitions/definition.ts';
import { structuralSchema, unbounded } from '../../../controller/definitions/structural-schema.ts';
import { actionsSchema } from './action-schema.ts';
import { restoreKind } from '../restore/definition.ts';
import { guardSpecSchema, guardStatusSchema } from './guard-schema.ts';
import { hookSpecSchema, hookStatusSchema } from './hook-schema.ts';
import { scheduleKind } from './schedule-definition.ts';
import { snapshotSpecSchema, snapshotStatusSchema } from './snapshot-schema.ts';
import { guardRules, hookRules, snapshotRules, templateRules } from './validation-rules.ts';

/** All definitions, with the rules that the server checks by itself. */
export function snapshotDefinitions(): readonly Definition[] {
  return KINDS.map(definition);
}

const KINDS: readonly DefinedKind[] = [
  {
    kind: 'ExecutionHook',
    shortName: 'eh',
    description:
      'Freezes an application when it is created, and thaws it when it is deleted, released or expired.',
    body: () => ({
      spec: structuralSchema(hookSpecSchema),
      status: unbounded(structuralSchema(hookStatusSchema)),
    }),
    required: ['spec'],
    rules: hookRules,
    columns: [
      {
        name: 'Pre',
        type: 'boolean',
        jsonPath: '.status.preActionSucceed',
        description: 'Whether all targets are frozen.',
      },
      {
        name: 'Post',
        type: 'boolean',
        jsonPath: '.status.postActionSucceed',
        description: 'Whether all targets are thawed.',
      },
      {
        name: 'Release',
        type: 'string',
        jsonPath: '.status.release.cause',
        description: 'Cause of the thaw.',
      },
      {
        name: 'Unproven',
        type: 'string',
        jsonPath: '.status.conditions[?(@.type=="ThawUnproven")].status',
        description: 'Whether a volume may still be frozen though its pod is deleted.',
      },
      AGE,
    ],
  },
  {
    kind: 'ExecutionHookTemplate',
    shortName: 'eht',
    description: 'What hooks do, to be named by them. It stands at the top: there is no spec.',
    body: () => structuralSchema(actionsSchema).properties ?? {},
    required: [],
    rules: templateRules,
    columns: [{ name: 'Policy', type: 'string', jsonPath: '.policy' }, AGE],
  },
  {
    kind: 'ApplicationSnapshot',
    shortName: 'appsnap',
    description: 'Snapshots of the volumes of an application, cut while its hooks hold it frozen.',
    body: () => ({
      spec: structuralSchema(snapshotSpecSchema),
      status: unbounded(structuralSchema(snapshotStatusSchema)),
    }),
    required: ['spec'],
    rules: snapshotRules,
    columns: [
      { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
      {
        name: 'Verdict',
        type: 'string',
        jsonPath: '.status.verdict.value',
        description: 'Consistency of the snapshot.',
      },
      { name: 'Reason', type: 'string', jsonPath: '.status.verdict.reason' },
      {
        name: 'Freeze-Ms',
        type: 'integer',
        jsonPath: '.status.verdict.freezeWindowMs',
        description: 'Milliseconds from the first preAction to the last thaw.',
      },
      AGE,
    ],
  },
  scheduleKind,
  restoreKind,
  {
    kind: 'SnapshotGuard',
    shortName: 'sguard',
    description:
      'Freezes an application while any client takes snapshots of its claims. The namespace needs the label lifehook.dev/snapshot-guard=enabled.',
    body: () => ({
      spec: structuralSchema(guardSpecSchema),
      status: unbounded(structuralSchema(guardStatusSchema)),
    }),
    required: ['spec'],
    rules: guardRules,
    columns: [
      {
        name: 'Ready',
        type: 'string',
        jsonPath: '.status.conditions[?(@.type=="Ready")].status',
        description: 'Whether snapshots of its claims are guarded.',
      },
      {
        name: 'Window',
        type: 'string',
        jsonPath: '.status.window.name',
        description: 'Newest window, an ApplicationSnapshot.',
      },
      { name: 'Phase', type: 'string', jsonPath: '.status.window.phase' },
      { name: 'Verdict', type: 'string', jsonPath: '.status.window.verdict' },
      {
        name: 'Freeze-Ms',
        type: 'integer',
        jsonPath: '.status.window.freezeWindowMs',
        description: 'Milliseconds from the first preAction to the last thaw.',
      },
      AGE,
    ],
  },
];
