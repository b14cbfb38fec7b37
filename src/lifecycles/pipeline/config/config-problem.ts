/** The common form of problems in a pipeline's files. */
import type { Located } from '../../../model/located-tree.ts';
import { nearestWord } from '../../../model/nearest-word.ts';
import { type Position, type Problem, shownText } from '../../../model/problem.ts';

export interface Wrong {
  readonly at: Position;
  readonly message: string;
  readonly next: string;
}

/** Maximum number of reported problems. The first ones often cause the rest, and users do not read more. */
export const PROBLEMS_MAX = 50;

export function errorOf(code: string, { at, message, next }: Wrong): Problem {
  return { code, severity: 'error', at, message, next };
}

export function warningOf(code: string, { at, message, next }: Wrong): Problem {
  return { code, severity: 'warning', at, message, next };
}

/** The problems without duplicates, in the order in which they were found. */
export function distinct(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ code, at, message }) => {
    const key = `${code} ${at?.file ?? ''}:${at?.line ?? 0}:${at?.column ?? 0} ${message}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

/** A hint for messages: "Did you mean" with the nearest known value, or the list of all known values. */
export function didYouMean(written: string, known: readonly string[]): string {
  const meant = nearestWord(written, known);
  if (meant !== null) return `Did you mean "${meant}"?`;
  return known.length === 0 ? 'Remove it.' : `Remove it, or write one of ${known.join(', ')}.`;
}

/** The received value, for messages. */
export function describe(part: Located): string {
  if (part.kind === 'list') return `a list of ${part.items.length}`;
  if (part.kind === 'map') {
    return part.fields.size === 0
      ? 'an empty map'
      : `a map with ${shownText([...part.fields.keys()].join(', '))}`;
  }
  if (part.value === null) return 'nothing';
  return typeof part.value === 'string'
    ? shownText(JSON.stringify(part.value))
    : shownText(part.text);
}
