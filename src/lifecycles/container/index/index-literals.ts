/**
 * Which texts a hook file cannot match without: the index's first sieve, so that of a thousand files
 * only those that may apply are parsed. Pure.
 *
 * Worked example: `{commands: ["^/usr/bin/nginx$", "sh$"]}` has the texts "/usr/bin/nginx" and "sh";
 * the file is a candidate for a container that has one of them in its command or an annotation.
 */
import type { HookFile } from '../hooksd/hook-file.ts';
import { joinedPattern } from '../hooksd/check-hook.ts';
import { classify } from '../hooksd/literal.ts';

/** One of them is in every container that the file matches; empty: it may match any container. */
export type Texts = readonly string[];

export function requiredTexts({ when }: HookFile): Texts {
  const { annotations = [], annotationValues, commands = [], always, hasBindMounts } = when;
  const conditions = [
    // Key and value have to match, so either will do: the one that is the less likely by chance.
    ...annotations.map(({ key, value }) => longest([texts([key]), texts([value])])),
    ...(annotationValues === undefined ? [] : [texts([joinedPattern(annotationValues)])]),
    ...(commands.length === 0 ? [] : [texts(commands)]),
  ];
  // Of conditions that all have to hold, any one will do too.
  if (when.combine === 'all') return longest(conditions);
  if (always === true || hasBindMounts === true) return [];
  // Where one condition is enough, all of them have to be looked for.
  return conditions.some((list) => list.length === 0) ? [] : conditions.flat();
}

/** For a list of patterns of which one has to match. */
function texts(patterns: readonly string[]): Texts {
  const found = patterns.flatMap((pattern) => textsOfPattern(pattern));
  return found.every((text) => text !== '') ? found : [];
}

function textsOfPattern(pattern: string): string[] {
  const shape = classify(pattern);
  if (shape.kind === 'regex') return [plainRun(shape.required)];
  return shape.forms.map(({ parts }) => plainRun(longestOf(parts)));
}

/** The index is ASCII text of lines: other characters are left out of what is searched for. */
function plainRun(text: string): string {
  return longestOf(text.split(/[^ -~]+/));
}

function longestOf(list: readonly string[]): string {
  return list.reduce((best, text) => (text.length > best.length ? text : best), '');
}

function longest(lists: readonly Texts[]): Texts {
  const weight = (list: Texts): number =>
    list.length === 0 ? 0 : Math.min(...list.map((text) => text.length));
  return lists.reduce((best, list) => (weight(list) > weight(best) ? list : best), []);
}
