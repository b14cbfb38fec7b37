/** The tags of the hooks of one snapshot, or of one window of a guard, in the order in which they freeze. */
import { tagOf } from './hook-views.ts';
import type { Court } from './judge.ts';

interface Others {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * The other hooks of the same snapshot or window: those that freeze before this one, and those that freeze after it.
 */
export function othersOf(court: Court, own: string): Others {
  const lists = [
    ...court.scene.snapshots.map(({ hooks }) => hooks.map(({ tag }) => tag)),
    tagsOfWindow(court, own),
  ];
  for (const tags of lists) {
    const index = tags.indexOf(own);
    if (index !== -1) return { before: tags.slice(0, index), after: tags.slice(index + 1) };
  }
  return { before: [], after: [] };
}

/**
 * Tags of the hooks of a window. A hook that does not exist yet has the tag of its plan. If a hook was created again
 * after a restore of the server, the last one counts.
 */
function tagsOfWindow({ scene, views }: Court, own: string): readonly string[] {
  const owner = views.ofTag(own)?.hook.metadata?.ownerReferences?.[0]?.uid;
  const tags = [...views.all.values()]
    .filter(({ hook }) => hook.metadata?.ownerReferences?.[0]?.uid === owner)
    .map(({ hook }) => tagOf(hook));
  const hooks = scene.guard?.hooks ?? [];
  return hooks.map(({ tag }) => tags.findLast((each) => each.startsWith(`${tag}#`)) ?? tag);
}
