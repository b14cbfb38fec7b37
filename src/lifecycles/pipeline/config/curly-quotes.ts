/**
 * Typographic quotes at the ends of an unquoted text: YAML takes them for letters, and a command that is
 * called “sleep” exists nowhere (C2). Pure.
 */
import type { Located } from '../../../model/located-tree.ts';
import type { Problem } from '../../../model/problem.ts';
import { errorOf, shown } from './config-problem.ts';

const CURLY = /^[\u2018\u2019\u201C\u201D]|[\u2018\u2019\u201C\u201D]$/;

export function curlyQuotes(tree: Located): readonly Problem[] {
  if (tree.kind === 'list') return tree.items.flatMap((item) => curlyQuotes(item));
  if (tree.kind === 'map')
    return [...tree.fields.values()].flatMap(({ value }) => curlyQuotes(value));
  if (!tree.plain || typeof tree.value !== 'string' || !CURLY.test(tree.text)) return [];
  const message = `${shown(tree.text)} has a curly quote, which is a letter of the text to YAML.`;
  const next = `Write straight quotes, " or ', instead of the typographic ones.`;
  return [errorOf('LHL102', { at: tree.at, message, next })];
}
