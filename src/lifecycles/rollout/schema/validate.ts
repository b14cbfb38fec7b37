/**
 * Validates a DeploymentLifecycle for the webhook, with the reasons. First its shape by the schema; if that is valid,
 * the other rules. The controller's objects have passed the schema of a server: it calls `checkLifecycleSpec` alone.
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
  /** Unvalidated, from JSON or YAML. */
  readonly object: JsonObject;
  /** The old object of an update: if its spec is unchanged, nothing is checked, so that a finalizer can be removed. */
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
