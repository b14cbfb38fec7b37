/**
 * Fields that a feature gate of the API server stands before. With its gate off a field is dropped from
 * what is new; an object that already uses it keeps it, and may go on using it.
 */
import type { JsonObject } from '../../../../kube/object.ts';
import type { FeatureGates } from '../../feature-gates.ts';
import { isObject, numberAt, objectAt } from '../fields.ts';
import { allContainers } from './fill-pod-spec.ts';

const HOOKS = ['postStart', 'preStop'];

/** Changes `spec`, the pod spec that is about to be stored in place of `old`. */
export function dropGatedFields(
  spec: JsonObject,
  old: JsonObject | undefined,
  gates: FeatureGates,
): void {
  if (gates.PodLifecycleSleepAction || sleepsOf(old).length > 0) return;
  for (const container of allContainers(spec)) dropSleep(container);
}

/** Whether a sleep of no seconds is valid: its gate is on, or the object sleeps for none already. */
export function allowsZeroSleep(old: JsonObject | undefined, gates: FeatureGates): boolean {
  if (gates.PodLifecycleSleepActionAllowZero) return true;
  return sleepsOf(old).some((sleep) => (numberAt(sleep, 'seconds') ?? 0) === 0);
}

function sleepsOf(spec: JsonObject | undefined): readonly JsonObject[] {
  if (spec === undefined) return [];
  return allContainers(spec).flatMap((container) =>
    HOOKS.map((hook) => objectAt(container, 'lifecycle', hook, 'sleep')).filter(isObject),
  );
}

/** A hook that has nothing else to do goes with its sleep. */
function dropSleep(container: JsonObject): void {
  const lifecycle = objectAt(container, 'lifecycle');
  if (lifecycle === undefined) return;
  for (const name of HOOKS) {
    const hook = objectAt(lifecycle, name);
    if (hook?.['sleep'] === undefined) continue;
    delete hook['sleep'];
    if (Object.keys(hook).length === 0) delete lifecycle[name];
  }
}
