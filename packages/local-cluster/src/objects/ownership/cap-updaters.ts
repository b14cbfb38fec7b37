import { union } from './field-set.ts';
import { identityOf, type Manager, type Managers, secondsOf } from './managers.ts';

/** Entries of operation Update that an object keeps; appliers are not counted. */
export const MAX_UPDATERS = 10;

const ANCIENT = 'ancient-changes';

/** The oldest entries become one for each version, until the rest fit. */
export function capUpdaters(managers: Managers): Managers {
  const updaters = [...managers]
    .filter(([, { operation }]) => operation === 'Update')
    .toSorted(
      ([leftKey, left], [rightKey, right]) =>
        secondsOf(left) - secondsOf(right) || (leftKey < rightKey ? -1 : 1),
    );
  let left = updaters.length;
  const capped = new Map(managers);
  const firsts = new Map<string, string>();
  for (const [identity, manager] of updaters) {
    if (left <= MAX_UPDATERS) break;
    const first = firsts.get(manager.apiVersion);
    if (first === undefined) {
      firsts.set(manager.apiVersion, identity);
      continue;
    }
    const bucket = bucketOf(manager);
    const gathered = capped.get(identityOf(bucket)) ?? capped.get(first);
    capped.delete(first);
    capped.delete(identity);
    // The time is the later one's.
    const fields = gathered === undefined ? manager.fields : union(gathered.fields, manager.fields);
    capped.set(identityOf(bucket), { ...manager, ...bucket, fields });
    left--;
  }
  return capped;
}

function bucketOf({ apiVersion }: Manager): Omit<Manager, 'fields' | 'time'> {
  return { name: ANCIENT, operation: 'Update', apiVersion, subresource: '' };
}
