/** The definitions of Lifehook's kinds, of all lifecycles. */
import type { Definition } from '../../controller/definitions/definition.ts';
import type { Permission } from '../../controller/ask-permissions.ts';
import { definitions, eventPermissions, permissions } from '../lifecycle-kinds.ts';

export function lifehookDefinitions(): readonly Definition[] {
  return Object.values(definitions).flatMap((definitionsOf) => definitionsOf());
}

/**
 * The permissions of the controllers of all lifecycles, with or without the timeline: one rule for each kind of object.
 */
export function allPermissions({ timeline }: { readonly timeline: boolean }): Permission[] {
  const ofTimeline = timeline ? Object.values(eventPermissions) : [];
  return merged([...Object.values(permissions), ...ofTimeline].flat());
}

/** One permission per resource, with the verbs of all. */
function merged(all: readonly Permission[]): Permission[] {
  const byResource = new Map<string, Permission>();
  for (const permission of all) {
    const key = `${permission.group}/${permission.resource}`;
    const verbs = [...(byResource.get(key)?.verbs ?? []), ...permission.verbs];
    byResource.set(key, { ...permission, verbs: [...new Set(verbs)] });
  }
  return [...byResource.values()];
}
