/** Typographic quotes around texts, which YAML takes for letters: the design document's samples have them. Pure. */
import type { DocumentPath } from '../../model/located-document.ts';
import { asFields, changed, type Placed, type Remark } from './conversion.ts';

const QUOTED = /^[\u2018\u201C](.*)[\u2019\u201D]$/s;
/** Objects of an API server do not go deeper. */
const DEPTH_MAX = 40;

export function straightQuotes(placed: Placed): {
  readonly placed: Placed;
  readonly remarks: readonly Remark[];
} {
  const remarks: Remark[] = [];
  const value = asFields(straighten(placed.value, placed.path, remarks));
  return { placed: { ...placed, value }, remarks };
}

function straighten(value: unknown, path: DocumentPath, remarks: Remark[]): unknown {
  if (path.length > DEPTH_MAX) return value;
  if (typeof value === 'string') {
    const inner = QUOTED.exec(value)?.[1];
    if (inner === undefined) return value;
    const message = `The typographic quotes around ${value} are letters to YAML: they were taken off.`;
    remarks.push(changed(path, message, 'Write straight quotes, " or \', or none.'));
    return inner;
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => straighten(item, [...path, index], remarks));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(
    ([name, one]: [string, unknown]) => [name, straighten(one, [...path, name], remarks)] as const,
  );
  return Object.fromEntries(entries);
}
