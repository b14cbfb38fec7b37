import type { PathElement } from './path-element.ts';

/** Where an item of the merged list comes from: the live list alone, or the applied one (and the live one). */
export type Place =
  | { readonly from: 'live'; readonly index: number }
  | { readonly from: 'applied'; readonly element: PathElement };

/**
 * The order of a merged list: the applied items in theirs, and each item that only the live list has
 * before the shared one that it stood before. Live a x b y with applied b a c: x stood before b, which
 * comes first now, and y after it: x b y a c.
 */
export function mergeOrder(live: readonly PathElement[], applied: readonly PathElement[]): Place[] {
  const isApplied = new Set(applied);
  const isLive = new Set(live);
  const shared = applied.filter((element) => isLive.has(element));
  const order: Place[] = [];
  const taken = new Set<PathElement>();
  let nextShared = 0;
  let at = 0;
  for (const element of applied) {
    at = takeLive(at, element);
    order.push({ from: 'applied', element });
    taken.add(element);
    if (live[at] === element) at++;
    if (shared[nextShared] === element) nextShared++;
  }
  takeLive(at, undefined);
  return order;

  /** Takes what only the live list has, as far as an item that must wait for its turn; returns where. */
  function takeLive(from: number, upTo: PathElement | undefined): number {
    for (let index = from; index < live.length; index++) {
      const here = live[index] ?? '';
      if (here === upTo) return index;
      if (!isApplied.has(here)) order.push({ from: 'live', index });
      else if (!taken.has(here) && here === shared[nextShared]) return index;
    }
    return live.length;
  }
}
