/** Every kind of ours: of all lifecycles. */
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

/** What the controllers of all lifecycles may do, with the timeline or without it: one rule for each kind of object. */
export function allPermissions({ timeline }: { readonly timeline: boolean }): Permission[] {
  const ofTimeline = timeline ? timelinePermissions : [];
  return merged([...snapshotPermissions, ...rolloutPermissions, ...ofTimeline]);
}

/** Of the same resource, whatever any of them names. */
function merged(permissions: readonly Permission[]): Permission[] {
  const byResource = new Map<string, Permission>();
  for (const permission of permissions) {
    const key = `${permission.group}/${permission.resource}`;
    const verbs = [...(byResource.get(key)?.verbs ?? []), ...permission.verbs];
    byResource.set(key, { ...permission, verbs: [...new Set(verbs)] });
  }
  return [...byResource.values()];
}
