/**
 * Whether a DeploymentLifecycle is right, as the webhook judges it, and why not. The shape is judged by the
 * schema; where it holds, the rules beyond it. The controller's objects have been through a server's schema:
 * it asks `checkLifecycleSpec` alone.
 */
import { judge } from '../../../controller/definitions/judge-by-schema.ts';
import type { Findings } from '../../../controller/definitions/schema-problems.ts';
import { sameJson } from '../../../controller/same-json.ts';
import type { JsonObject } from '../../../kube/object.ts';
import type { DeploymentLifecycle } from '../kinds.ts';
import { checkLifecycleChange, checkLifecycleSpec } from './check-lifecycle.ts';
import { hooksOf } from './hooks-of.ts';
import { lifecycleSpecSchema, type WrittenSpec } from './lifecycle-schema.ts';

export interface ValidateInput {
  /** As it came from JSON or YAML. */
  readonly object: JsonObject;
  /** Of an update, what stood before: where the spec stays, nothing is judged (a finalizer has to come off). */
  readonly before?: JsonObject;
}

export function validateLifecycle({ object, before }: ValidateInput): Findings {
  if (before !== undefined && sameJson(before['spec'], object['spec'])) return NOTHING;
  const judged = judge<WrittenSpec>(
    lifecycleSpecSchema,
    { field: 'spec', value: object['spec'] },
    { check: checkLifecycleSpec, warn: warnings },
  );
  if (before === undefined || judged.errors.length > 0) return judged;
  return { ...judged, errors: checkLifecycleChange(specOf(before), specOf(object)) };
}

const NOTHING: Findings = { errors: [], warnings: [] };

function warnings(spec: WrittenSpec): string[] {
  const hooks = hooksOf(spec);
  if (hooks.length === 0) {
    return ['spec: there is no hook, so nothing is run: write one under rollingUpdate or recreate'];
  }
  return hooks.flatMap(({ field, hook }) => {
    const { command, args } = hook.execNewPod;
    if (command !== undefined || args !== undefined) return [];
    return [
      `${field}.execNewPod: without a command it runs what the container itself runs, which has to end by itself`,
    ];
  });
}

function specOf(object: JsonObject): DeploymentLifecycle['spec'] {
  return (object as unknown as DeploymentLifecycle).spec;
}
