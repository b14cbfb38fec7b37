/** The definitions of Lifehook's kinds, of all lifecycles. */
import type { Definition } from '../../controller/definitions/definition.ts';
import type { Permission } from '../../controller/permission.ts';
import { rolloutPermissions } from '../../lifecycles/rollout/permissions.ts';
import { rolloutDefinitions } from '../../lifecycles/rollout/schema/definitions.ts';
import { snapshotPermissions } from '../../lifecycles/snapshot/permissions.ts';
import { snapshotDefinitions } from '../../lifecycles/snapshot/schema/definitions.ts';
import { timelinePermissions } from '../../timeline/sources/permissions.ts';

export function lifehookDefinitions(): readonly Definition[] {
  return [...snapshotDefinitions(), ...rolloutDefinitions()];
}

/**
 * The permissions of the controllers of all lifecycles, with or without the timeline: one rule for each kind of object.
 */
export function allPermissions({ timeline }: { readonly timeline: boolean }): Permission[] {
  const ofTimeline = timeline ? timelinePermissions : [];
  return merged([...snapshotPermissions, ...rolloutPermissions, ...ofTimeline]);
}

/** One permission per resource, with the verbs of all. */
function merged(permissions: readonly Permission[]): Permission[] {
  const byResource = new Map<string, Permission>();
  for (const permission of permissions) {
    const key = `${permission.group}/${permission.resource}`;
    const verbs = [...(byResource.get(key)?.verbs ?? []), ...permission.verbs];
    byResource.set(key, { ...permission, verbs: [...new Set(verbs)] });
  }
  return [...byResource.values()];
}
