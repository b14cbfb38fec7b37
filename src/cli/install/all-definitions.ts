/** The definitions of the kinds of all lifecycles, and the permissions of their controllers. */
import type { Definition } from '../../controller/definitions/definition.ts';
import type { Permission } from '../../controller/ask-permissions.ts';
import { definitions, eventPermissions, permissions } from '../lifecycle-kinds.ts';

export function lifehookDefinitions(): readonly Definition[] {
  return Object.values(definitions).flatMap((definitionsOf) => definitionsOf());
}

/**
 * The permissions of the controllers of all lifecycles: one rule for each kind of object. `timeline`: with those that
 * the timeline needs.
 */
export function allPermissions({ timeline }: { readonly timeline: boolean }): Permission[] {
  const ofTimeline = timeline ? Object.values(eventPermissions) : [];
  return merged([...Object.values(permissions), ...ofTimeline].flat());
}

/** Merges the permissions for the same resource into one with all verbs. */
function merged(all: readonly Permission[]): Permission[] {
  const byResource = new Map<string, Permission>();
  for (const permission of all) {
    const key = `${permission.group}/${permission.resource}`;
    const verbs = [...(byResource.get(key)?.verbs ?? []), ...permission.verbs];
    byResource.set(key, { ...permission, verbs: [...new Set(verbs)] });
  }
  return [...byResource.values()];
}
