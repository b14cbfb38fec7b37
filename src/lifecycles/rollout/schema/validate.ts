/** Validates a DeploymentLifecycle for the webhook, with the reasons: its shape by the schema, then the other rules. */
import { judge } from '../../../controller/definitions/schema-problems.ts';
import type { Findings } from '../../../controller/definitions/schema-problems.ts';
import { sameJson } from '../../../controller/same-json.ts';
import type { JsonObject } from '../../../kube/object.ts';
import type { DeploymentLifecycle, DeploymentLifecycleSpec } from '../kinds.ts';
import { checkLifecycleChange, checkLifecycleSpec } from './check-lifecycle.ts';
import { hooksOf } from './hooks-of.ts';
import { lifecycleSpecSchema } from './lifecycle-schema.ts';

export interface ValidateInput {
  /** Unvalidated, from JSON or YAML. */
  readonly object: JsonObject;
  /** The old object of an update: if its spec is unchanged, nothing is checked, so that a finalizer can be removed. */
  readonly before?: JsonObject;
}

export function validateLifecycle({ object, before }: ValidateInput): Findings {
  if (before !== undefined && sameJson(before['spec'], object['spec'])) return NOTHING;
  const judged = judge(
    lifecycleSpecSchema,
    { field: 'spec', value: object['spec'] },
    { check: checkLifecycleSpec, warn: warnings },
  );
  if (before === undefined || judged.errors.length > 0) return judged;
  return { ...judged, errors: checkLifecycleChange(specOf(before), specOf(object)) };
}

const NOTHING: Findings = { errors: [], warnings: [] };

function warnings(spec: DeploymentLifecycleSpec): string[] {
  const hooks = hooksOf(spec);
  if (hooks.length === 0) {
    return ['spec: there is no hook, so nothing is run: write one under rollingUpdate or recreate'];
  }
  return hooks.flatMap(({ field, hook }) => {
    const { command, args } = hook.execNewPod;
    if (command !== undefined || args !== undefined) return [];
    return [
      `${field}.execNewPod: without a command the hook runs the command of the container, which must exit by itself`,
    ];
  });
}

function specOf(object: JsonObject): DeploymentLifecycle['spec'] {
  return (object as unknown as DeploymentLifecycle).spec;
}
