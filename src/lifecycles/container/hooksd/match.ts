/**
 * Decides whether a hook file applies to a container: pure, and exactly as in the reference implementation
 * (containers/common pkg/hooks/1.0.0/when.go), whose order of conditions decides when an error occurs.
 *
 * 1.0.0 combines with AND, 0.1.0 with OR; no condition at all never matches; `always: false` and
 * `hasBindMounts: false` never hold; the command condition is skipped if there is no process.
 */
import { LifehookError, type Problem } from '../../../model/problem.ts';
import { joinedPattern, positionOf } from './check-hook.ts';
import type { ContainerFacts, HookFile } from './hook-file.ts';
import type { Matcher } from '../../../model/pattern.ts';

export type Verdict =
  | { readonly kind: 'match' | 'noMatch'; readonly reason: string }
  /** The container must not be created. */
  | { readonly kind: 'refused'; readonly problem: Problem };

/** One condition, as `explain` shows it. */
export interface Condition {
  readonly name: 'always' | 'annotations' | 'commands' | 'hasBindMounts';
  /** The path of the condition in the file, as in `HookFile.positions`. */
  readonly path: string;
  /** null: skipped, because the container has no process. */
  readonly holds: boolean | null;
  readonly reason: string;
  readonly trials: readonly Trial[];
}

/** The comparison of one pattern with one value. */
export interface Trial {
  readonly pattern: string;
  readonly on: 'annotation key' | 'annotation value' | 'process.args[0]';
  readonly value: string;
  readonly matched: boolean;
}

export interface Matching {
  /** Patterns were checked when the file was read, so a matcher always exists. */
  readonly matcherOf: (pattern: string) => Matcher;
  /** If given, every condition is evaluated and passed to it, including those after the deciding one. */
  readonly trace?: (condition: Condition) => void;
}

export function matchHookFile(file: HookFile, facts: ContainerFacts, matching: Matching): Verdict {
  try {
    return judge(file, facts, matching);
  } catch (error) {
    const [problem] = error instanceof LifehookError ? error.problems : [];
    if (problem === undefined) throw error;
    return { kind: 'refused', problem: { ...problem, at: positionOf(file, 'when') } };
  }
}

function judge(file: HookFile, facts: ContainerFacts, matching: Matching): Verdict {
  let verdict: Verdict | undefined;
  let held = 0;
  for (const evaluate of conditionsOf(file)) {
    const found = evaluate(facts, matching);
    matching.trace?.(found);
    if (found.holds === true) held += 1;
    verdict ??= settledBy(file, facts, found);
    if (verdict !== undefined && matching.trace === undefined) return verdict;
  }
  return verdict ?? withoutFurtherConditions(file, held);
}

type Evaluate = (facts: ContainerFacts, matching: Matching) => Condition;

function conditionsOf({ when }: HookFile): Evaluate[] {
  const { always, hasBindMounts, annotations, annotationValues, commands } = when;
  const conditions: Evaluate[] = [];
  if (always !== undefined) conditions.push(() => alwaysCondition(always));
  if (hasBindMounts !== undefined) {
    conditions.push((facts) => bindMountsCondition(hasBindMounts, facts));
  }
  annotations?.forEach((pair, index) => {
    conditions.push((facts, matching) => pairCondition({ ...pair, index }, facts, matching));
  });
  if (annotationValues !== undefined) {
    const pattern = joinedPattern(annotationValues);
    conditions.push((facts, matching) => valueCondition(pattern, facts, matching));
  }
  if (commands !== undefined && commands.length > 0) {
    conditions.push((facts, matching) => commandCondition(commands, facts, matching));
  }
  return conditions;
}

/** The verdict, if this condition decides it; undefined: the next condition counts too. */
function settledBy(file: HookFile, facts: ContainerFacts, found: Condition): Verdict | undefined {
  if (found.name === 'commands' && facts.args?.length === 0) {
    return { kind: 'refused', problem: emptyArgs(file) };
  }
  if (file.when.combine === 'any') {
    return found.holds === true ? { kind: 'match', reason: found.reason } : undefined;
  }
  return found.holds === false ? { kind: 'noMatch', reason: found.reason } : undefined;
}

function withoutFurtherConditions({ when }: HookFile, held: number): Verdict {
  if (when.combine === 'all' && held > 0) {
    return { kind: 'match', reason: 'every condition holds' };
  }
  return { kind: 'noMatch', reason: 'no condition holds' };
}

function alwaysCondition(always: boolean): Condition {
  const reason = always ? 'always is true' : 'always is false, which never holds';
  return { name: 'always', path: 'when.always', holds: always, reason, trials: [] };
}

function bindMountsCondition(wanted: boolean, { hasBindMounts }: ContainerFacts): Condition {
  const has = hasBindMounts ? 'the container has bind mounts' : 'the container has no bind mounts';
  return {
    name: 'hasBindMounts',
    path: 'when.hasBindMounts',
    holds: wanted && hasBindMounts,
    reason: wanted ? has : 'hasBindMounts is false, which never holds',
    trials: [],
  };
}

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly index: number;
}

/** The condition for annotations: one annotation must match with both its key and its value. */
function pairCondition(pair: Pair, facts: ContainerFacts, matching: Matching): Condition {
  const trials: Trial[] = [];
  const attempt = trier(matching, trials);
  const holds = Object.entries(facts.annotations).some(
    ([key, value]) =>
      attempt(pair.key, 'annotation key', key) && attempt(pair.value, 'annotation value', value),
  );
  const wanted = `key ${JSON.stringify(pair.key)} and value ${JSON.stringify(pair.value)}`;
  const reason = `${holds ? 'an' : 'no'} annotation has ${wanted}`;
  return { name: 'annotations', path: `when.annotations[${pair.index}]`, holds, reason, trials };
}

function valueCondition(pattern: string, facts: ContainerFacts, matching: Matching): Condition {
  const trials: Trial[] = [];
  const attempt = trier(matching, trials);
  const holds = Object.values(facts.annotations).some((value) =>
    attempt(pattern, 'annotation value', value),
  );
  const reason = `${holds ? 'an' : 'no'} annotation has value ${JSON.stringify(pattern)}`;
  return { name: 'annotations', path: 'when.annotationValues', holds, reason, trials };
}

function commandCondition(
  commands: readonly string[],
  facts: ContainerFacts,
  matching: Matching,
): Condition {
  const name = 'commands';
  const path = 'when.commands';
  if (facts.args === undefined) {
    return { name, path, holds: null, reason: 'the container has no process', trials: [] };
  }
  const command = facts.args[0];
  if (command === undefined) {
    return { name, path, holds: false, reason: 'process.args is empty', trials: [] };
  }
  const trials: Trial[] = [];
  const attempt = trier(matching, trials);
  const holds = commands.some((pattern) => attempt(pattern, 'process.args[0]', command));
  const reason = `${holds ? 'a' : 'no'} command pattern matches ${JSON.stringify(command)}`;
  return { name, path, holds, reason, trials };
}

/**
 * Returns a function that compares a value with a pattern. It keeps the trials only for `explain`: they cost more than
 * the comparison.
 */
function trier(
  { matcherOf, trace }: Matching,
  trials: Trial[],
): (pattern: string, on: Trial['on'], value: string) => boolean {
  return (pattern, on, value) => {
    const matched = matcherOf(pattern).matches(value);
    if (trace !== undefined) trials.push({ pattern, on, value, matched });
    return matched;
  };
}

function emptyArgs(file: HookFile): Problem {
  return {
    code: 'LHC120',
    severity: 'error',
    message:
      'process.args must have at least one entry, since this hook file has a command condition.',
    at: positionOf(file, 'when.commands'),
    next: 'Give the container a command in process.args of its config.json.',
  };
}
