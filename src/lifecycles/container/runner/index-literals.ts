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
  const { annotations = [], annotationValues, commands, always, hasBindMounts } = when;
  const ofCommands = commands === undefined || commands.length === 0 ? null : texts(commands);
  if (when.combine === 'all') {
    const pairs = annotations.flatMap(({ key, value }) => [texts([key]), texts([value])]);
    // Every condition has to hold, so any one will do: the one that is the least likely by chance.
    return longest(ofCommands === null ? pairs : [...pairs, ofCommands]);
  }
  if (always === true || hasBindMounts === true) return [];
  const ofValues = annotationValues === undefined ? null : texts([joinedPattern(annotationValues)]);
  const present = [ofCommands, ofValues].filter((list) => list !== null);
  // One condition is enough, so all of them have to be looked for.
  return present.some((list) => list.length === 0) ? [] : present.flat();
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
