/**
 * Runs the validation rules (CEL) of custom kinds.
 *
 * Rules and values are untrusted: any author of a definition or an object can write them. So patterns are matched in
 * linear time, and the steps of loops are counted before a rule runs.
 */
import { Environment, Optional, type ParseResult } from '@marcbachmann/cel-js';

import { re2Compiler } from '../../../../../src/model/re2.ts';
import type {
  BadExpression,
  CompiledExpression,
  CompileOptions,
  RuleEngine,
} from './rule-engine.ts';
import { registerRuleFunctions, summaryOf } from './rule-functions.ts';
import { readSyntax, withSafeMatches } from './rule-syntax.ts';

export function celRuleEngine(): RuleEngine {
  const base = new Environment({
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
  }).registerVariable('self', 'dyn');
  registerRuleFunctions(base, re2Compiler());
  const plain = base.clone().registerVariable('oldSelf', 'dyn');
  const optional = base.clone().registerVariable('oldSelf', 'optional<dyn>');
  return {
    compile: (expression, options) =>
      compile(expression, options.optionalOldSelf ? optional : plain, options),
    duration(text) {
      try {
        return base.evaluate('duration(self)', { self: text }) as unknown;
      } catch {
        return text;
      }
    },
  };
}

function compile(
  expression: string,
  environment: Environment,
  { optionalOldSelf }: CompileOptions,
): CompiledExpression | BadExpression {
  let program: ParseResult;
  let syntax: ReturnType<typeof readSyntax>;
  try {
    syntax = readSyntax(environment.parse(expression).ast);
    program = environment.parse(withSafeMatches(expression, syntax));
    const checked = program.check();
    if (!checked.valid) return { error: `compilation failed: ${summaryOf(checked.error)}` };
  } catch (error) {
    return { error: `compilation failed: ${summaryOf(error)}` };
  }
  return {
    usesOldSelf: syntax.names.has('oldSelf'),
    steps: (largest) => syntax.size * Math.max(1, largest) ** syntax.nesting,
    run(self, oldSelf) {
      try {
        const old = oldSelf === undefined ? Optional.none() : Optional.of(oldSelf);
        return { value: program({ self, oldSelf: optionalOldSelf ? old : oldSelf }) as unknown };
      } catch (error) {
        return { error: summaryOf(error) };
      }
    },
  };
}
