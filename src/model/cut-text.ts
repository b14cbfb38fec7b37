/**
 * Cuts texts by UTF-16 units, between two characters: half a surrogate pair would be stored as U+FFFD. Pure. Part of
 * the shim: uses nothing that QuickJS lacks.
 */

/** The first units of a text, at most `unitsMax`. */
export function textStart(text: string, unitsMax: number): string {
  if (text.length <= unitsMax) return text;
  return text.slice(0, isWithinPair(text, unitsMax) ? unitsMax - 1 : unitsMax);
}

/** The last units of a text, at most `unitsMax`. */
export function textEnd(text: string, unitsMax: number): string {
  if (text.length <= unitsMax) return text;
  const start = text.length - unitsMax;
  return text.slice(isWithinPair(text, start) ? start + 1 : start);
}

/** Whether a cut before this unit separates the halves of a surrogate pair. */
function isWithinPair(text: string, at: number): boolean {
  return isBetween(text.charCodeAt(at - 1), 0xd800) && isBetween(text.charCodeAt(at), 0xdc00);
}

/** Whether a unit is one of the 1024 units from `first`. NaN is none. */
function isBetween(unit: number, first: number): boolean {
  return unit >= first && unit < first + 0x400;
}
