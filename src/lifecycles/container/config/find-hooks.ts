/**
 * Finds the top-level `hooks` member of a config.json.
 *
 * A text may contain it twice, or in another case: Go (runc) matches keys case-insensitively and
 * uses the last duplicate, crun uses the first exact one. An edit of one of two would have no effect
 * on one of the runtimes, so the result is "ambiguous", and never a guess.
 *
 * `guessHooks` answers with a few native searches if the text is unambiguous (the usual case: a
 * scan of podman's 25 KB costs milliseconds in QuickJS); `scanForHooks` always answers. OCI-F1: if
 * both answer, they agree.
 */
import type { ByteText } from '../../../platform/platform.ts';
import { scanMembers, skipSpace, type Member } from './json-scan.ts';

export type HooksPlace =
  | { readonly kind: 'absent' }
  | { readonly kind: 'present'; readonly valueAt: number }
  | { readonly kind: 'ambiguous'; readonly keyAt: number; readonly key: string };

/** `keys` are the top-level keys of the parsed text. */
export function findHooks(config: ByteText, keys: readonly string[]): HooksPlace {
  return guessHooks(config, keys) ?? scanForHooks(config);
}

const key = '"hooks"';
/** An escape that can spell a letter of "hooks", in any case Go folds together (U+212A is k, U+017F is s). */
const letterEscape = /\\u(?:00(?:[46][8BFbf]|[57]3)|212[Aa]|017[Ff])/;

export function guessHooks(config: ByteText, keys: readonly string[]): HooksPlace | null {
  const alike = keys.filter((name) => foldKey(name) === 'hooks');
  if (alike.some((name) => name !== 'hooks')) return null;
  if (alike.length === 0) return { kind: 'absent' };
  if (config.includes('\\u') && letterEscape.test(config)) return null;
  const keyAt = config.indexOf(key);
  if (config.includes(key, keyAt + 1)) return null;
  // The key exists, is spelt without escapes and its spelling occurs once: this is it.
  return present(config, keyAt + key.length);
}

export function scanForHooks(config: ByteText): HooksPlace {
  const found = soleMember(scanMembers(config, config.indexOf('{')), 'hooks');
  if (found === null) return { kind: 'absent' };
  if ('ambiguous' in found) return { kind: 'ambiguous', ...found.ambiguous };
  return { kind: 'present', valueAt: found.valueAt };
}

/** The only member with this name; null if there is none; else the member that makes it ambiguous. */
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
