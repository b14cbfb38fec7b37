/**
 * Finds the top-level `hooks` member of a config.json.
 *
 * A text may contain the member twice, or spelt in another case: Go (runc) matches keys case-insensitively and uses the
 * last duplicate, crun uses the first exact one. An edit of only one of two members would have no effect for one of the
 * runtimes. So the result is then "ambiguous", never a guess.
 *
 * `guessHooks` needs a few native searches, and answers only for a text that is clearly unambiguous, as most are.
 * `scanForHooks` always answers, but its scan of podman's 25 KB takes milliseconds in QuickJS. OCI-F1: if both answer,
 * they agree.
 */
import type { ByteText } from '../../../platform/platform.ts';
import { scanMembers, skipSpace, type Member } from './json-scan.ts';

export type HooksPlace =
  | { readonly kind: 'absent' }
  | { readonly kind: 'present'; readonly valueAt: number }
  | { readonly kind: 'ambiguous'; readonly keyAt: number; readonly key: string };

/** Finds the member `hooks` in the text. `keys` are the top-level keys of the parsed text. */
export function findHooks(config: ByteText, keys: readonly string[]): HooksPlace {
  return guessHooks(config, keys) ?? scanForHooks(config);
}

const key = '"hooks"';
/** A \u escape of a letter of "hooks", in either case. Go also folds U+212A to k, and U+017F to s. */
const letterEscape = /\\u(?:00(?:[46][8BFbf]|[57]3)|212[Aa]|017[Ff])/;

export function guessHooks(config: ByteText, keys: readonly string[]): HooksPlace | null {
  const alike = keys.filter((name) => foldKey(name) === 'hooks');
  if (alike.some((name) => name !== 'hooks')) return null;
  if (alike.length === 0) return { kind: 'absent' };
  if (config.includes('\\u') && letterEscape.test(config)) return null;
  const keyAt = config.indexOf(key);
  if (config.includes(key, keyAt + 1)) return null;
  // The key exists, its spelling has no escapes, and the spelling occurs once: so this place is the key.
  return present(config, keyAt + key.length);
}

export function scanForHooks(config: ByteText): HooksPlace {
  const found = soleMember(scanMembers(config, config.indexOf('{')), 'hooks');
  if (found === null) return { kind: 'absent' };
  if ('ambiguous' in found) return { kind: 'ambiguous', ...found.ambiguous };
  return { kind: 'present', valueAt: found.valueAt };
}

/**
 * The only member with this exact name; null: there is none. A duplicate, or a spelling in another case, is returned as
 * `ambiguous`.
 */
export function soleMember(
  members: readonly Member[],
  name: string,
): Member | { readonly ambiguous: { readonly keyAt: number; readonly key: string } } | null {
  const alike = members.filter((member) => foldKey(member.key) === foldKey(name));
  const [first, second] = alike;
  if (first === undefined) return null;
  const culprit = first.key === name ? second : first;
  if (culprit === undefined) return first;
  return { ambiguous: { keyAt: culprit.keyAt, key: culprit.key } };
}

/** Keys that Go's encoding/json maps to the same field fold to the same text. */
function foldKey(name: string): string {
  return name.replaceAll('\u017F', 's').toLowerCase();
}

function present(config: ByteText, keyEnd: number): HooksPlace {
  const colon = skipSpace(config, keyEnd);
  return { kind: 'present', valueAt: skipSpace(config, colon + 1) };
}
