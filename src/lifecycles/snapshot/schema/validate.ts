/**
 * Validates an object of our kinds for the webhook and `plan`. The schema checks the shape; if that is valid, the rules
 * check the rest. Controllers, whose objects were checked by the server's schema, use the rules alone: `checkHookSpec`,
 * `checkSnapshotSpec`, `resolveActions`.
 */
import { judge } from '../../../controller/definitions/judge-by-schema.ts';
import type { Findings } from '../../../controller/definitions/schema-problems.ts';
import { sameJson } from '../../../controller/same-json.ts';
import type { JsonObject } from '../../../kube/object.ts';
import type {
  ApplicationSnapshot,
  ApplicationSnapshotSpec,
  ExecutionHook,
  ExecutionHookInfo,
  ExecutionHookSpec,
  HookActions,
} from '../kinds.ts';
import { actionsSchema } from './action-schema.ts';
import { checkActions } from './check-actions.ts';
import { checkHookChange, checkSnapshotChange } from './check-change.ts';
import { checkHookSpec } from './check-hook.ts';
import type { ResolveRecipe } from './check-recipe.ts';
import { checkHookInfos, checkSnapshotSpec } from './check-snapshot.ts';
import { hookSpecSchema } from './hook-schema.ts';
import { hookInfosSchema, snapshotSpecSchema } from './snapshot-schema.ts';
import { actionsWarnings, hookWarnings, snapshotWarnings } from './warnings.ts';

export type { Findings } from '../../../controller/definitions/schema-problems.ts';

export interface ValidateInput {
  /** The object, parsed from JSON or YAML. */
  readonly object: JsonObject;
  /** The object before an update: only changes are checked. */
  readonly before?: JsonObject;
  readonly resolveRecipe: ResolveRecipe;
}

export function validateHook({ object, before, resolveRecipe }: ValidateInput): Findings {
  if (before !== undefined) {
    const changed = checkHookChange(asHook(before), asHook(object));
    if (changed.length > 0) return { errors: changed, warnings: [] };
    if (sameJson(before['spec'], object['spec'])) return NOTHING;
  }
  return judge<ExecutionHookSpec>(
    hookSpecSchema,
    { field: 'spec', value: object['spec'] },
    {
      check: (spec) => checkHookSpec(spec, resolveRecipe),
      warn: hookWarnings,
    },
  );
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
  return judge<ApplicationSnapshotSpec>(
    snapshotSpecSchema,
    { field: 'spec', value: object['spec'] },
    {
      check: (spec) => checkSnapshotSpec(spec, resolveRecipe),
      warn: snapshotWarnings,
    },
  );
}

/** Validates a claim's annotation, parsed from JSON or YAML; `field` names it. */
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
/** Fields of every object, which we do not check. */
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
