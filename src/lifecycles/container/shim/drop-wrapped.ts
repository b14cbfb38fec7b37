/**
 * Removes from a config.json the entries that an earlier create of the same bundle added for the runner: the hook files
 * may have changed since. No byte of another entry changes. Pure.
 */
import type { ByteText } from '../../../platform/platform.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';
import type { ConfigObject } from '../config/config-text.ts';
import { findHooks, soleMember } from '../config/find-hooks.ts';
import { endOfValue, scanItems, scanMembers, type Member } from '../config/json-scan.ts';
import { wrappedStages } from './hook-command.ts';
import { mayHoldWrapped } from './hooks-in-config.ts';
import { unwrapHooks } from './unwrap-hooks.ts';

/** `config`: the parsed text. A text that two runtimes would read differently is left to the splicer. */
export function dropWrapped(text: ByteText, config: ConfigObject, runner: string): ByteText {
  if (!mayHoldWrapped(text, runner)) return text;
  const place = findHooks(text, Object.keys(config));
  if (place.kind !== 'present' || text[place.valueAt] !== '{') return text;
  const members = scanMembers(text, place.valueAt);
  const lists = wrappedStages.flatMap((stage) => {
    const member = soleMember(members, stage);
    const isList = member !== null && !('ambiguous' in member) && text[member.valueAt] === '[';
    return isList ? [member] : [];
  });
  // From the end, so that the offsets of the others stay valid.
  const fromBehind = lists.toSorted((one, other) => other.valueAt - one.valueAt);
  return fromBehind.reduce((result, list) => withoutOurs(result, list, runner), text);
}

function withoutOurs(text: ByteText, { valueAt, valueEnd }: Member, runner: string): ByteText {
  const items = scanItems(text, valueAt).map((at) => text.slice(at, endOfValue(text, at)));
  const kept = items.filter(
    (item) => unwrapHooks(runner, JSON.parse(decodeUtf8(item))).length === 0,
  );
  if (kept.length === items.length) return text;
  return `${text.slice(0, valueAt)}[${kept.join(',')}]${text.slice(valueEnd)}`;
}
