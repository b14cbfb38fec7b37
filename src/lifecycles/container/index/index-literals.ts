/**
 * Determines the texts without which a hook file cannot match: the index's first filter, so that of a thousand files
 * only candidates are parsed. Pure.
 *
 * Worked example: `{commands: ["^/usr/bin/nginx$", "sh$"]}` has the texts "/usr/bin/nginx" and "sh";
 * the file is a candidate for a container that has one of them in its command or an annotation.
 */
import type { HookFile } from '../hooksd/hook-file.ts';
import { joinedPattern } from '../hooksd/check-hook.ts';
import { classify } from '../hooksd/literal.ts';

/** Every container that the file matches contains one of them. */
export type Texts = readonly string[];

/**
 * All of these are required; empty: it may match any container. A value precedes its key, which many
 * files and containers have in common.
 */
export function requiredTexts({ when }: HookFile): readonly Texts[] {
  const { annotations = [], annotationValues, commands = [], always, hasBindMounts } = when;
  const inAnnotations =
    annotationValues === undefined ? [] : [texts([joinedPattern(annotationValues)])];
  const inCommand = commands.length === 0 ? [] : [texts(commands)];
  if (when.combine === 'all') {
    const values = annotations.map(({ value }) => texts([value]));
    const keys = annotations.map(({ key }) => texts([key]));
    const all = [...values, ...inAnnotations, ...inCommand, ...keys];
    return all.filter((list) => list.length > 0);
  }
  if (always === true || hasBindMounts === true) return [];
  // If one condition is enough, all of them must be searched for.
  const pairs = annotations.map(({ key, value }) => longest([texts([key]), texts([value])]));
  const conditions = [...pairs, ...inAnnotations, ...inCommand];
  const list = conditions.some((one) => one.length === 0) ? [] : conditions.flat();
  return list.length === 0 ? [] : [list];
}

/** For a list of patterns of which one must match. */
function texts(patterns: readonly string[]): Texts {
  const found = patterns.flatMap((pattern) => textsOfPattern(pattern));
  return found.every((text) => text !== '') ? found : [];
}

function textsOfPattern(pattern: string): string[] {
  const shape = classify(pattern);
  if (shape.kind === 'regex') return [plainRun(shape.required)];
  return shape.forms.map(({ parts }) => plainRun(longestOf(parts)));
}

/** The index is ASCII text of lines: other characters are omitted from the searched text. */
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
