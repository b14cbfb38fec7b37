/**
 * Ids that follow from the object: so the spans of a controller that died and of the one that went on
 * stand in one trace, and who has the object has its trace.
 */

const OFFSET = 0xcbf2_9ce4_8422_2325n;
const PRIME = 0x100_0000_01b3n;
const MASK = 0xffff_ffff_ffff_ffffn;
const SPAN_DIGITS = 16;

/** The UID without its dashes: "5f0c9a1b-…" is the trace "5f0c9a1b…". */
export function traceIdOf(uid: string): string {
  const digits = uid.replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/u.test(digits) ? digits : spanIdOf(uid) + spanIdOf(`${uid}/`);
}

/** FNV-1a of 64 bits, over the UTF-16 units of the text. */
export function spanIdOf(text: string): string {
  let hash = OFFSET;
  for (let at = 0; at < text.length; at += 1) {
    hash = ((hash ^ BigInt(text.charCodeAt(at))) * PRIME) & MASK;
  }
  return hash.toString(16).padStart(SPAN_DIGITS, '0');
}
