/**
 * Determines the active profiles, in order: first those whose activation holds, then the requested ones. A request
 * "-name" deactivates a profile. Pure.
 */
import type { Located, LocatedMap } from '../../../model/located-tree.ts';
import type { Problem } from '../../../model/problem.ts';
import { re2Compiler } from '../../../model/re2.ts';
import { errorOf } from './config-problem.ts';
import { listAt, partAt, textAt } from './tree-edit.ts';

export interface ActivationFacts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly kubeContext: string | null;
  /** The command, such as "dev" or "build". */
  readonly command: string;
}

export interface Activated {
  readonly names: readonly string[];
  readonly problems: readonly Problem[];
}

export function activeProfiles(
  tree: LocatedMap,
  asked: readonly string[],
  facts: ActivationFacts,
): Activated {
  const problems: Problem[] = [];
  const profiles = listAt(tree, 'profiles');
  const holds = (profile: Located): boolean => {
    const conditions = listAt(profile, 'activation').map((one) =>
      conditionHolds(one, facts, problems),
    );
    if (conditions.length === 0) return false;
    const all = textAt(profile, 'requiresAllActivations') === 'true';
    return all ? conditions.every(Boolean) : conditions.some(Boolean);
  };
  const known = profiles.map((profile) => textAt(profile, 'name') ?? '');
  const auto = profiles.filter((profile) => holds(profile)).map((one) => textAt(one, 'name') ?? '');
  const names = asked.reduce<readonly string[]>((on, name) => {
    if (name.startsWith('-')) return on.filter((one) => one !== name.slice(1));
    return known.includes(name) && !on.includes(name) ? [...on, name] : on;
  }, auto);
  return { names, problems };
}

/** Whether an activation needs the context, for which the kubeconfig must be read. */
export function asksForContext(tree: LocatedMap): boolean {
  return listAt(tree, 'profiles').some((profile) =>
    listAt(profile, 'activation').some((one) => textAt(one, 'kubeContext') !== undefined),
  );
}

/** Whether one entry activates its profile: all its conditions must hold. */
function conditionHolds(condition: Located, facts: ActivationFacts, problems: Problem[]): boolean {
  const context = facts.kubeContext ?? '';
  return [
    envHolds(partAt(condition, 'env'), facts, problems),
    equals(partAt(condition, 'kubeContext'), context, problems),
    equals(partAt(condition, 'command'), facts.command, problems),
  ].every(Boolean);
}

/** Tests "KEY=pattern" on the environment. "KEY=" holds if the variable is unset or empty. */
function envHolds(part: Located | undefined, facts: ActivationFacts, problems: Problem[]): boolean {
  const text = textAt(part);
  if (part === undefined || text === undefined || text === '') return true;
  const split = text.indexOf('=');
  if (split <= 0) {
    const message = `"env" of an activation is KEY=VALUE; received ${JSON.stringify(text)}.`;
    const next =
      split === 0
        ? 'Write the name of the variable before "=".'
        : `Write ${text}=VALUE, or ${text}= for an empty value.`;
    problems.push(errorOf('LHL120', { at: part.at, message, next }));
    return false;
  }
  const value = facts.env[text.slice(0, split)] ?? '';
  const pattern = text.slice(split + 1);
  return pattern === '' ? value === '' : matches(part, { pattern, value }, problems);
}

/** Whether the value matches the pattern in the configuration. An empty pattern matches everything. */
function equals(part: Located | undefined, value: string, problems: Problem[]): boolean {
  const pattern = textAt(part);
  if (part === undefined || pattern === undefined) return true;
  return matches(part, { pattern, value }, problems);
}

/**
 * Whether a pattern matches: it equals the value, or is a regular expression that is found in it. A leading "!" negates
 * the result.
 */
function matches(
  part: Located,
  { pattern, value }: { pattern: string; value: string },
  problems: Problem[],
): boolean {
  const negated = pattern.startsWith('!');
  const wanted = negated ? pattern.slice(1) : pattern;
  if (wanted === value) return !negated;
  const compiled = re2Compiler()(wanted);
  if (!('invalid' in compiled)) return compiled.matches(value) !== negated;
  const message = `${JSON.stringify(wanted)} is not a valid pattern: ${compiled.invalid}.`;
  problems.push(errorOf('LHL120', { at: part.at, message, next: 'Correct the pattern.' }));
  return false;
}
