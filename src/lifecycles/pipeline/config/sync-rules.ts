/** What is wrong with the rules of a manual sync, above all one that fell into two items (C3). Pure. */
import type { Located, LocatedList } from '../../../model/located-tree.ts';
import type { Problem } from '../../../model/problem.ts';
import { errorOf } from './config-problem.ts';
import { textAt } from './tree-edit.ts';

export function syncRuleProblems({ items }: LocatedList): readonly Problem[] {
  return items.flatMap((rule, index) => {
    if (rule.kind !== 'map') return [];
    const [src, dest] = [textAt(rule, 'src'), textAt(rule, 'dest')];
    if (src === undefined && dest === undefined) {
      return [wrong(rule, 'A sync rule needs src and dest; received neither.', 'Add both.')];
    }
    if (src === undefined) {
      // Told of the item before, to which it belongs.
      if (lacksDest(items[index - 1])) return [];
      return [wrong(rule, 'A sync rule needs src; received a dest alone.', 'Add `src: "src/**"`.')];
    }
    if (dest !== undefined) return [];
    const follows =
      textAt(items[index + 1], 'dest') !== undefined &&
      textAt(items[index + 1], 'src') === undefined;
    const next = follows
      ? 'Did you mean one item? Remove the dash before "dest".'
      : 'Add `dest: .` for the container’s working directory.';
    return [wrong(rule, 'A sync rule without dest copies nothing anywhere.', next)];
  });
}

function lacksDest(rule: Located | undefined): boolean {
  return textAt(rule, 'src') !== undefined && textAt(rule, 'dest') === undefined;
}

function wrong({ at }: Located, message: string, next: string): Problem {
  return errorOf('LHL118', { at, message, next });
}
