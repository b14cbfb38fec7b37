/**
 * Adds hooks to the text of a config.json without changing a byte outside of its `hooks` member.
 * JSON.parse and stringify would turn the seccomp argument 18446744073709551615 into …552000, and
 * both runc and crun then refuse the bundle; so values are parsed only to decide, and the text is spliced.
 *
 * Pure, and without anything that QuickJS lacks: the shim runs this file.
 *
 * - outside of the `hooks` member, input and output are byte for byte the same.
 * - inside it existing bytes stay unchanged, in their order; ours are added after them, or in place of a `null`.
 * - it is idempotent: a second call with the same additions is "unchanged".
 * - a text that two runtimes would read differently is refused, never guessed at.
 */
import type { Problem } from '../../../model/problem.ts';
import type { ByteText } from '../../../platform/platform.ts';
import { decodeUtf8, encodeUtf8 } from '../../../platform/byte-text.ts';
import { locator } from '../hooksd/json-text.ts';
import { stages, type OciHook, type Stage } from '../points.ts';
import {
  readConfig,
  type ConfigObject,
  namedTwice,
  wrongKind,
  type UnplacedProblem,
} from './config-text.ts';
import { findHooks, soleMember } from './find-hooks.ts';
import { endOfValue, scanMembers, trimBefore, type Member } from './json-scan.ts';
import { missingHooks } from './same-hook.ts';

export type Additions = Readonly<Partial<Record<Stage, readonly OciHook[]>>>;

export type SpliceResult =
  | { readonly kind: 'changed'; readonly text: ByteText }
  | { readonly kind: 'unchanged' }
  | Refused;

export interface Refused {
  readonly kind: 'refused';
  readonly problem: Problem;
}

/** Replaces the bytes from `at` to `until`; both are equal for an insertion. */
interface Edit {
  readonly at: number;
  readonly until: number;
  readonly insert: ByteText;
}

/**
 * Adds the hooks to the text. `parsed`: the result of `readConfig(text)`, if the caller has it already. The file of a
 * problem's position is "config.json": only the caller knows its directory.
 */
export function spliceHooks(
  text: ByteText,
  additions: Additions,
  parsed?: ConfigObject,
): SpliceResult {
  const wanted = stages.filter((stage) => (additions[stage] ?? []).length > 0);
  // Nothing is added, so an ambiguous text needs no refusal: the runtime checks it.
  if (wanted.length === 0) return { kind: 'unchanged' };
  const reading =
    parsed === undefined ? readConfig(text) : { kind: 'read' as const, config: parsed };
  if (reading.kind === 'refused') return reading;
  const edits = planEdits(text, Object.keys(reading.config), newStages(wanted, additions));
  if (!Array.isArray(edits)) return edits;
  return edits.length === 0 ? { kind: 'unchanged' } : { kind: 'changed', text: apply(text, edits) };
}

type NewStages = ReadonlyMap<Stage, readonly OciHook[]>;

function newStages(wanted: readonly Stage[], additions: Additions): NewStages {
  return new Map(wanted.map((stage) => [stage, additions[stage] ?? []]));
}

function planEdits(text: ByteText, keys: readonly string[], added: NewStages): Edit[] | Refused {
  const place = findHooks(text, keys);
  if (place.kind === 'ambiguous') return refuse(text, place.keyAt, namedTwice('hooks', place.key));
  if (place.kind === 'present') return planHooksEdits(text, place.valueAt, added);
  return [append(text, text.lastIndexOf('}'), `"hooks":{${stageTexts(added)}}`)];
}

function planHooksEdits(text: ByteText, valueAt: number, added: NewStages): Edit[] | Refused {
  const valueEnd = endOfValue(text, valueAt);
  if (text.slice(valueAt, valueEnd) === 'null') {
    return [{ at: valueAt, until: valueEnd, insert: `{${stageTexts(added)}}` }];
  }
  if (text[valueAt] !== '{') return refuse(text, valueAt, wrongKind('hooks', 'an object'));
  const members = scanMembers(text, valueAt);
  const absent = new Map(added);
  const edits: Edit[] = [];
  for (const [stage, hooks] of added) {
    const member = soleMember(members, stage);
    if (member === null) continue;
    absent.delete(stage);
    const edit = planStageEdit(text, stage, { member, hooks });
    if (edit !== null && 'kind' in edit) return edit;
    if (edit !== null) edits.push(edit);
  }
  if (absent.size > 0) edits.push(append(text, valueEnd - 1, stageTexts(absent)));
  return edits;
}

interface StageAddition {
  readonly member: Exclude<ReturnType<typeof soleMember>, null>;
  readonly hooks: readonly OciHook[];
}

function planStageEdit(
  text: ByteText,
  stage: Stage,
  { member, hooks }: StageAddition,
): Edit | Refused | null {
  if ('ambiguous' in member) {
    return refuse(text, member.ambiguous.keyAt, namedTwice(stage, member.ambiguous.key));
  }
  const value = text.slice(member.valueAt, member.valueEnd);
  if (value === 'null') return replaceValue(member, `[${hookTexts(hooks)}]`);
  if (!value.startsWith('[')) return refuse(text, member.valueAt, wrongKind(stage, 'a list'));
  const missing = missingHooks(JSON.parse(decodeUtf8(value)) as unknown[], hooks);
  return missing.length === 0 ? null : append(text, member.valueEnd - 1, hookTexts(missing));
}

/** Appends an item to the object or list that closes at `close`, before any white space there. */
function append(text: ByteText, close: number, item: ByteText): Edit {
  const at = trimBefore(text, close);
  const empty = text[at - 1] === '{' || text[at - 1] === '[';
  return { at, until: at, insert: empty ? item : `,${item}` };
}

function replaceValue({ valueAt, valueEnd }: Member, insert: ByteText): Edit {
  return { at: valueAt, until: valueEnd, insert };
}

function apply(text: ByteText, edits: readonly Edit[]): ByteText {
  let result = '';
  let copied = 0;
  for (const { at, until, insert } of edits.toSorted((a, b) => a.at - b.at)) {
    result += text.slice(copied, at) + insert;
    copied = until;
  }
  return result + text.slice(copied);
}

function stageTexts(added: NewStages): ByteText {
  return [...added].map(([stage, hooks]) => `"${stage}":[${hookTexts(hooks)}]`).join(',');
}

/**
 * The JSON texts of the hooks, in UTF-8 as podman and Docker write them, with the fields in the order of the
 * specification.
 */
function hookTexts(hooks: readonly OciHook[]): ByteText {
  const texts = hooks.map(({ path, args, env, timeout }) =>
    JSON.stringify({ path, args, env, timeout }),
  );
  return encodeUtf8(texts.join(','));
}

function refuse(text: ByteText, at: number, problem: UnplacedProblem): Refused {
  return {
    kind: 'refused',
    problem: { ...problem, severity: 'error', at: locator('config.json', text)(at) },
  };
}
