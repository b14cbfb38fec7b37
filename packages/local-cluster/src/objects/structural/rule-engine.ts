import type { Json } from '../../../../../src/kube/object.ts';

/**
 * The CEL engine for x-kubernetes-validations. Its implementation is loaded only if a schema has rules: see
 * `loadRuleEngine`.
 */
export interface RuleEngine {
  compile(expression: string, options: CompileOptions): CompiledExpression | BadExpression;
  /** Converts a text such as "90s" to the engine's duration; returns the text itself if it is none. */
  duration(text: string): unknown;
}

export interface CompileOptions {
  /** True if `oldSelf` is an optional; then the rule also runs without an old value. */
  readonly optionalOldSelf: boolean;
}

export interface BadExpression {
  readonly error: string;
}

export interface CompiledExpression {
  readonly usesOldSelf: boolean;
  /** Maximum number of steps of one run if no list, map or text is larger than `largest`. */
  steps(largest: number): number;
  /** Evaluates the rule on a value. `oldSelf`: the old value; undefined if there is none. */
  run(self: unknown, oldSelf: unknown): { readonly value: unknown } | { readonly error: string };
}

/** Loads the engine only when needed: loading takes about 10 ms, and most clusters have no rules. */
export async function loadRuleEngine(): Promise<RuleEngine> {
  const { celRuleEngine } = await import('./cel-rule-engine.ts');
  return celRuleEngine();
}

/** True if a schema, or a value that contains schemas, has rules. The caller limits the depth of the value. */
export function hasRules(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasRules);
  return Object.hasOwn(value, 'x-kubernetes-validations') || Object.values(value).some(hasRules);
}
