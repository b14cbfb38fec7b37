/** A configuration with its active profiles merged and patched, one after the other. Pure. */
import type { LocatedMap } from '../../../model/located-tree.ts';
import type { Problem } from '../../../model/problem.ts';
import { checkTree } from './check-tree.ts';
import { errorOf } from './config-problem.ts';
import { applyPatch } from './json-patch.ts';
import { mergeProfile } from './merge-profile.ts';
import { listAt, textAt } from './tree-edit.ts';

export function applyProfiles(
  tree: LocatedMap,
  names: readonly string[],
): { readonly tree: LocatedMap; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const profiles = listAt(tree, 'profiles').filter((one) => one.kind === 'map');
  const merged = names.reduce((one, name) => {
    const profile = profiles.find((candidate) => textAt(candidate, 'name') === name);
    if (profile === undefined) return one;
    return listAt(profile, 'patches').reduce<LocatedMap>(
      (patched, patch) => {
        const result = applyPatch(patched, patch);
        if (result.kind === 'patched') return result.tree;
        const path = textAt(patch, 'path') ?? '';
        const message = `The patch of ${path} in profile "${name}" can't be applied: ${result.reason}.`;
        problems.push(
          errorOf('LHL121', { at: patch.at, message, next: 'Correct its path or its op.' }),
        );
        return patched;
      },
      mergeProfile(one, profile),
    );
  }, tree);
  // A patch can write what the schema would have refused.
  return { tree: merged, problems: [...problems, ...(names.length > 0 ? checkTree(merged) : [])] };
}
