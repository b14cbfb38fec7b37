/** Every kind of ours: of all lifecycles. */
import type { Definition } from '../../controller/definitions/definition.ts';
import { rolloutDefinitions } from '../../lifecycles/rollout/schema/definitions.ts';
import { snapshotDefinitions } from '../../lifecycles/snapshot/schema/definitions.ts';

export function lifehookDefinitions(): readonly Definition[] {
  return [...snapshotDefinitions(), ...rolloutDefinitions()];
}
