/**
 * The expression engine that checks of x-kubernetes-validations need. The implementation (cel-rule-engine.ts) is loaded
 * only by servers that have a rule: see load-rule-engine.ts.
 */
export interface RuleEngine {
  compile(expression: string, options: CompileOptions): CompiledExpression | BadExpression;
  /** The engine's value for "90s"; the text itself if it is no duration. */
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
