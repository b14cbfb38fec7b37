/** Every kind of ours: of all lifecycles. */
import type { Definition } from '../../controller/definitions/definition.ts';
import { rolloutDefinitions } from '../../lifecycles/rollout/schema/definitions.ts';
import { snapshotDefinitions } from '../../lifecycles/snapshot/schema/definitions.ts';

/**
 * With `cel` they carry the rules that a server of 1.25 or later keeps by itself; an older one needs them
 * without, and kubectl refuses the others there.
 */
export function lifehookDefinitions(options: { readonly cel: boolean }): readonly Definition[] {
  return [...snapshotDefinitions(options), ...rolloutDefinitions(options)];
}
