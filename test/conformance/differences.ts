/**
 * Where the local cluster is known to answer otherwise than the recorded server, and why. Everything
 * else that differs is a defect. Each rule is a row of docs/local-cluster-differences.md, and has to be
 * met at least once: one that explains nothing any more is taken out.
 */
import type { Difference } from './compare.ts';
import { designRules } from './rules/design.ts';

export interface Rule {
  readonly id: string;
  /** What differs, for the table of differences. */
  readonly what: string;
  readonly reason: string;
  /** Each that is given has to match; texts of values are JSON, "undefined" for what is absent. */
  readonly scenario?: RegExp;
  readonly step?: RegExp;
  readonly path?: RegExp;
  readonly expected?: RegExp;
  readonly received?: RegExp;
  /** What it matches makes the rest of the exchange another one: it explains all of it. */
  readonly whole?: boolean;
}

export const rules: readonly Rule[] = designRules;

export interface Explained {
  readonly difference: Difference;
  readonly rule: Rule | undefined;
}

/** Of one scenario. */
export function explain(differences: readonly Difference[]): readonly Explained[] {
  const wholes = new Map<string, Rule>();
  for (const difference of differences) {
    const rule = rules.find((each) => each.whole === true && matches(each, difference));
    if (rule !== undefined && !wholes.has(difference.step)) wholes.set(difference.step, rule);
  }
  return differences.map((difference) => ({
    difference,
    rule:
      wholes.get(difference.step) ??
      rules.find((rule) => rule.whole !== true && matches(rule, difference)),
  }));
}

function matches(rule: Rule, difference: Difference): boolean {
  const { scenario, step, path, expected, received } = difference;
  return (
    takes(rule.scenario, scenario) &&
    takes(rule.step, step) &&
    takes(rule.path, path) &&
    takes(rule.expected, textOf(expected)) &&
    takes(rule.received, textOf(received))
  );
}

function takes(pattern: RegExp | undefined, text: string): boolean {
  return pattern === undefined || pattern.test(text);
}

function textOf(value: Difference['expected']): string {
  return value === undefined ? 'undefined' : JSON.stringify(value);
}
