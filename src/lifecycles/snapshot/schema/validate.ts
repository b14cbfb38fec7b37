/**
 * Validates an object of our kinds for the webhook and `plan`, and its spec for the controllers, since the webhook may
 * not have run.
 *
 * The schema checks the shape and the limits. If these are valid, the rules check the rest. An update may not change
 * the spec of a hook or of a snapshot.
 */
import { type FieldProblem, forbidden } from '../../../controller/definitions/field-problem.ts';
import { judge } from '../../../controller/definitions/schema-problems.ts';
import type { Findings } from '../../../controller/definitions/schema-problems.ts';
import { sameJson } from '../../../controller/same-json.ts';
import { textAt } from '../../../kube/fields.ts';
import type { JsonObject, ObjectMeta } from '../../../kube/object.ts';
import type {
  SnapshotGuardSpec,
  ApplicationSnapshot,
  ApplicationSnapshotSpec,
  ExecutionHook,
  ExecutionHookInfo,
  ExecutionHookSpec,
  HookActions,
} from '../kinds.ts';
import type { SnapshotScheduleSpec } from '../schedule/kinds.ts';
import { actionsSchema } from './action-schema.ts';
import { checkActions } from './check-actions.ts';
import { checkGuardName, checkGuardSpec } from './check-guard.ts';
import { checkHookSpec } from './check-hook.ts';
import type { ResolveRecipe } from './check-recipe.ts';
import { checkScheduleName, checkScheduleSpec, scheduleWarnings } from './check-schedule.ts';
import { checkHookInfos, checkSnapshotSpec } from './check-snapshot.ts';
import { guardSpecSchema } from './guard-schema.ts';
import { hookInfosSchema } from './hook-info-schema.ts';
import { hookSpecSchema } from './hook-schema.ts';
import { scheduleSpecSchema } from './schedule-schema.ts';
import { snapshotSpecSchema } from './snapshot-schema.ts';
import { actionsWarnings, guardWarnings, hookWarnings, snapshotWarnings } from './warnings.ts';

export type { Findings } from '../../../controller/definitions/schema-problems.ts';

export interface ValidateInput {
  /** The object, parsed from JSON or YAML. */
  readonly object: JsonObject;
  /** The object before an update, of which only the changes are checked; absent: a creation. */
  readonly before?: JsonObject;
  readonly resolveRecipe: ResolveRecipe;
}

export function validateHook({ object, before, resolveRecipe }: ValidateInput): Findings {
  if (before !== undefined) {
    const changed = checkHookChange(asHook(before), asHook(object));
    if (changed.length > 0) return { errors: changed, warnings: [] };
    if (sameJson(before['spec'], object['spec'])) return NOTHING;
  }
  return judgeHookSpec(object['spec'], resolveRecipe);
}

export function judgeHookSpec(value: unknown, resolveRecipe: ResolveRecipe): Findings {
  const check = (spec: ExecutionHookSpec): FieldProblem[] => checkHookSpec(spec, resolveRecipe);
  return judge(hookSpecSchema, { field: 'spec', value }, { check, warn: hookWarnings });
}

export function validateTemplate({ object, before, resolveRecipe }: ValidateInput): Findings {
  const actions = actionsOf(object);
  if (before !== undefined && sameJson(actionsOf(before), actions)) return NOTHING;
  return judge<HookActions>(
    actionsSchema,
    { field: '', value: actions },
    {
      check: (written) => checkActions({ actions: written, field: '', resolveRecipe }),
      warn: (written) => actionsWarnings('', written),
    },
  );
}

export function validateSnapshot({ object, before, resolveRecipe }: ValidateInput): Findings {
  if (before !== undefined) {
    return { errors: checkSnapshotChange(asSnapshot(before), asSnapshot(object)), warnings: [] };
  }
  return judgeSnapshotSpec(object['spec'], resolveRecipe);
}

export function judgeSnapshotSpec(value: unknown, resolveRecipe: ResolveRecipe): Findings {
  const check = (spec: ApplicationSnapshotSpec): FieldProblem[] =>
    checkSnapshotSpec(spec, resolveRecipe);
  return judge(snapshotSpecSchema, { field: 'spec', value }, { check, warn: snapshotWarnings });
}

/**
 * Checks a schedule that is created or changed. Its spec may change. The snapshots that it has created keep their own
 * spec.
 */
export function validateSchedule({ object, before, resolveRecipe }: ValidateInput): Findings {
  if (before !== undefined && sameJson(before['spec'], object['spec'])) return NOTHING;
  const named = checkScheduleName({ ...(object['metadata'] as ObjectMeta | undefined) });
  const { errors, warnings } = judgeScheduleSpec(object['spec'], resolveRecipe);
  return { errors: [...named, ...errors], warnings };
}

export function judgeScheduleSpec(value: unknown, resolveRecipe: ResolveRecipe): Findings {
  const check = (spec: SnapshotScheduleSpec): FieldProblem[] =>
    checkScheduleSpec(spec, resolveRecipe);
  return judge(scheduleSpecSchema, { field: 'spec', value }, { check, warn: scheduleWarnings });
}

/** Checks a guard that is created or changed. It may be changed at any time. Its open windows keep their own spec. */
export function validateGuard({ object, before, resolveRecipe }: ValidateInput): Findings {
  if (before !== undefined && sameJson(before['spec'], object['spec'])) return NOTHING;
  const { errors, warnings } = judgeGuardSpec(object['spec'], resolveRecipe);
  return { errors: [...checkGuardName(textAt(object, 'metadata', 'name')), ...errors], warnings };
}

export function judgeGuardSpec(value: unknown, resolveRecipe: ResolveRecipe): Findings {
  const check = (spec: SnapshotGuardSpec): FieldProblem[] => checkGuardSpec(spec, resolveRecipe);
  return judge(guardSpecSchema, { field: 'spec', value }, { check, warn: guardWarnings });
}

/** Validates the hooks in a claim's annotation, parsed from JSON or YAML. `field` names the annotation. */
export function validateHookInfos(
  infos: unknown,
  { field, resolveRecipe }: { readonly field: string; readonly resolveRecipe: ResolveRecipe },
): Findings {
  return judge<ExecutionHookInfo[]>(
    hookInfosSchema,
    { field, value: infos },
    {
      check: (list) => checkHookInfos(field, list, resolveRecipe),
      warn: () => [],
    },
  );
}

const NOTHING: Findings = { errors: [], warnings: [] };
/** Fields that every object has, and that are not checked here. */
const GENERAL = ['apiVersion', 'kind', 'metadata'];

function actionsOf(template: JsonObject): JsonObject {
  const entries = Object.entries(template).filter(([name]) => !GENERAL.includes(name));
  return Object.fromEntries(entries);
}

function asHook(object: JsonObject): ExecutionHook {
  return object as unknown as ExecutionHook;
}

function asSnapshot(object: JsonObject): ApplicationSnapshot {
  return object as unknown as ApplicationSnapshot;
}

/**
 * SNAP-I10: the resolved actions run, so a change after they are resolved would have no effect. A change before that
 * would run actions for which the author's permissions were not checked.
 */
function checkHookChange(before: ExecutionHook, after: ExecutionHook): FieldProblem[] {
  if (sameJson(before.spec, after.spec)) return [];
  const detail = 'the spec of a hook never changes: delete it, and create another one';
  return [forbidden('spec', detail)];
}

function checkSnapshotChange(
  before: ApplicationSnapshot,
  after: ApplicationSnapshot,
): FieldProblem[] {
  if (sameJson(before.spec, after.spec)) return [];
  const detail = 'the spec of a snapshot never changes: create another one';
  return [forbidden('spec', detail)];
}
