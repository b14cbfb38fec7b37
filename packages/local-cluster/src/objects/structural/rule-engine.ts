/**
 * What checks x-kubernetes-validations needs of an expression engine. The real one (cel-rule-engine.ts) is
 * loaded only for servers that meet a rule: see load-rule-engine.ts.
 */
export interface RuleEngine {
  compile(expression: string, options: CompileOptions): CompiledExpression | BadExpression;
  /** The engine's value for "90s"; the text itself when it is no duration. */
  duration(text: string): unknown;
}

export interface CompileOptions {
  /** `oldSelf` is an optional: the rule runs without a former value, too. */
  readonly optionalOldSelf: boolean;
}

export interface BadExpression {
  readonly error: string;
}

export interface CompiledExpression {
  readonly usesOldSelf: boolean;
  /** How many steps a run takes at most, where no list, map or text is larger than `largest`. */
  steps(largest: number): number;
  /** An undefined `oldSelf`: there is none. */
  run(self: unknown, oldSelf: unknown): { readonly value: unknown } | { readonly error: string };
}
