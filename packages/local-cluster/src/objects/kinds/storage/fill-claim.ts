/** What a claim says where it is silent; a set's claim templates say the same. */
import type { JsonObject } from '../../../../../../src/kube/object.ts';
import { fill, fillObject } from '../../../../../../src/kube/fields.ts';

export function fillClaim(claim: JsonObject): void {
  fill(fillObject(claim, 'spec'), 'volumeMode', 'Filesystem');
}
