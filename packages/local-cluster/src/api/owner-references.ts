/** Removes duplicate owner references of an object, as a real server does. */
import type { JsonObject } from '../../../../src/kube/object.ts';
import { objectsAt, textAt } from '../../../../src/kube/fields.ts';
import { jsonEqual } from '../objects/patch/json-value.ts';
import type { RequestScope } from './context.ts';
import { withMeta } from './object-meta.ts';

/** Where the repeated references are from: from the client, or also from a webhook or a patch. */
export type OwnersFrom = 'client' | 'admission';

/** Keeps one of each group of equal references, and adds a warning. References that differ in any field are kept. */
export function withoutRepeatedOwners(
  { warnings }: Pick<RequestScope, 'warnings'>,
  object: JsonObject,
  from: OwnersFrom,
): JsonObject {
  const { kept, repeated } = sortOut(objectsAt(object, 'metadata', 'ownerReferences'));
  if (repeated.length === 0) return object;
  const when = from === 'client' ? '' : ' after mutating admission happens';
  const uids = repeated.map((owner) => textAt(owner, 'uid')).join(', ');
  warnings.add(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references ` +
      'in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate ' +
      `UID(s) observed: ${uids}`,
  );
  return withMeta(object, { ownerReferences: kept });
}

/** Compares only references with one uid, because an object can have thousands of references. */
function sortOut(owners: readonly JsonObject[]): Record<'kept' | 'repeated', JsonObject[]> {
  const kept: JsonObject[] = [];
  const repeated: JsonObject[] = [];
  const byUid = new Map<string, JsonObject[]>();
  for (const owner of owners) {
    const uid = textAt(owner, 'uid');
    const same = byUid.get(uid) ?? [];
    byUid.set(uid, same);
    if (same.some((other) => jsonEqual(other, owner))) {
      repeated.push(owner);
    } else {
      same.push(owner);
      kept.push(owner);
    }
  }
  return { kept, repeated };
}
