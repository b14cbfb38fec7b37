/**
 * Known differences between the local cluster and the recorded server, with their reasons. Every other difference is
 * a defect. Each rule is a row of docs/local-cluster-differences.md, and must match at least once: remove one that
 * matches nothing.
 */
import type { Difference } from './compare.ts';
import { designRules } from './rules/design.ts';

export interface Rule {
  readonly id: string;
  /** The difference in words, for the table. */
  readonly what: string;
  readonly reason: string;
  /** All patterns that are present must match. Values are JSON texts; "undefined" stands for an absent value. */
  readonly scenario?: RegExp;
  readonly step?: RegExp;
  readonly path?: RegExp;
  readonly expected?: RegExp;
  readonly received?: RegExp;
  /** True: a match changes the rest of the exchange too, so the rule explains every difference in it. */
  readonly whole?: boolean;
}

export const rules: readonly Rule[] = designRules;

export interface Explained {
  readonly difference: Difference;
  readonly rule: Rule | undefined;
}

/** Explains the differences of one scenario. */
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
