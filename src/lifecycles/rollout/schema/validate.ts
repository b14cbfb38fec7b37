/**
 * Validates a DeploymentLifecycle for the webhook: first its shape by the schema, and then the other rules. Returns a
 * reason for each problem.
 */
import { judge } from '../../../controller/definitions/schema-problems.ts';
import type { Findings } from '../../../controller/definitions/schema-problems.ts';
import { sameJson } from '../../../controller/same-json.ts';
import type { JsonObject } from '../../../kube/object.ts';
import type { DeploymentLifecycle, DeploymentLifecycleSpec } from '../kinds.ts';
import { checkLifecycleChange, checkLifecycleSpec } from './check-lifecycle.ts';
import { hooksOf } from './hooks-of.ts';
import { lifecycleSpecSchema } from './lifecycle-schema.ts';

export interface ValidateInput {
  /** The object from JSON or YAML, which is not validated yet. */
  readonly object: JsonObject;
  /**
   * The old object of an update. If its spec is unchanged, nothing is checked, so that a finalizer can always be
   * removed.
   */
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
