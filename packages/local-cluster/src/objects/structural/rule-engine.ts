import type { Json } from '../../../../../src/kube/object.ts';

/**
 * The expression engine that checks of x-kubernetes-validations need. The implementation (cel-rule-engine.ts) is loaded
 * only by servers that have a rule: see loadRuleEngine.
 */
export interface RuleEngine {
  compile(expression: string, options: CompileOptions): CompiledExpression | BadExpression;
  /** The engine's value for "90s"; the text itself if it is not a duration. */
  duration(text: string): unknown;
}

export interface CompileOptions {
  /** Whether `oldSelf` is an optional: the rule then runs also without a former value. */
  readonly optionalOldSelf: boolean;
}

export interface BadExpression {
  readonly error: string;
}

export interface CompiledExpression {
  readonly usesOldSelf: boolean;
  /** The most steps of a run if no list, map or text is larger than `largest`. */
  steps(largest: number): number;
  /** `oldSelf`: undefined if there is no former value. */
  run(self: unknown, oldSelf: unknown): { readonly value: unknown } | { readonly error: string };
}

/** Loads the rule engine on demand: it costs about 10 ms at the start, and most runs never need it. */
export async function loadRuleEngine(): Promise<RuleEngine> {
  const { celRuleEngine } = await import('./cel-rule-engine.ts');
  return celRuleEngine();
}

/** Whether a schema, or a value that contains schemas, has rules. The depth of the value is bounded. */
export function hasRules(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasRules);
  return Object.hasOwn(value, 'x-kubernetes-validations') || Object.values(value).some(hasRules);
}
