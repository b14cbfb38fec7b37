/**
 * The custom resource definitions of the snapshot lifecycle. `scripts/generate-crds.ts` writes them to `deploy/crds/`;
 * `lifehook install` and the local cluster use them from here.
 */
import {
  type DefinedKind,
  type Definition,
  definition,
} from '../../../controller/definitions/definition.ts';
import {
  specAndStatus,
  structuralSchema,
} from '../../../controller/definitions/structural-schema.ts';
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
    ...specAndStatus(hookSpecSchema, hookStatusSchema),
    rules: hookRules,
    columns: [
      ['Pre', 'boolean', '.status.preActionSucceed', 'Whether all targets were frozen.'],
      ['Post', 'boolean', '.status.postActionSucceed', 'Whether all targets are thawed.'],
      ['Release', 'string', '.status.release.cause', 'Cause of the thaw.'],
      [
        'Unproven',
        'string',
        '.status.conditions[?(@.type=="ThawUnproven")].status',
        'Whether a volume may still be frozen though its pod is deleted.',
      ],
    ],
  },
  {
    kind: 'ExecutionHookTemplate',
    shortName: 'eht',
    description:
      'Actions for hooks that name this template. They are at the top level: there is no spec.',
    body: () => structuralSchema(actionsSchema).properties ?? {},
    required: [],
    rules: templateRules,
    columns: [['Policy', 'string', '.policy']],
  },
  {
    kind: 'ApplicationSnapshot',
    shortName: 'appsnap',
    description: 'Snapshots of the volumes of an application, cut while its hooks hold it frozen.',
    ...specAndStatus(snapshotSpecSchema, snapshotStatusSchema),
    rules: snapshotRules,
    columns: [
      ['Phase', 'string', '.status.phase'],
      ['Verdict', 'string', '.status.verdict.value', 'Consistency of the snapshot.'],
      ['Reason', 'string', '.status.verdict.reason'],
      [
        'Freeze-Ms',
        'integer',
        '.status.verdict.freezeWindowMs',
        'Milliseconds from the first preAction to the last thaw.',
      ],
    ],
  },
  scheduleKind,
  restoreKind,
  {
    kind: 'SnapshotGuard',
    shortName: 'sguard',
    description:
      'Freezes an application while any client takes snapshots of its claims. The namespace needs the label lifehook.dev/snapshot-guard=enabled.',
    ...specAndStatus(guardSpecSchema, guardStatusSchema),
    rules: guardRules,
    columns: [
      [
        'Ready',
        'string',
        '.status.conditions[?(@.type=="Ready")].status',
        'Whether snapshots of its claims are guarded.',
      ],
      ['Window', 'string', '.status.window.name', 'Newest window, an ApplicationSnapshot.'],
      ['Phase', 'string', '.status.window.phase'],
      ['Verdict', 'string', '.status.window.verdict'],
      [
        'Freeze-Ms',
        'integer',
        '.status.window.freezeWindowMs',
        'Milliseconds from the first preAction to the last thaw.',
      ],
    ],
  },
];
