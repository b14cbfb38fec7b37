/**
 * Evaluates the match conditions (CEL) of webhooks.
 *
 * Any client can write the objects that a condition reads. So patterns are matched in linear time, and the steps of a
 * loop are counted before it runs.
 */
import { Environment, type ParseResult } from '@marcbachmann/cel-js';

import type { Json } from '../../../../../src/kube/object.ts';
import { re2Compiler } from '../../../../../src/model/re2.ts';
import { registerRuleFunctions, summaryOf } from '../../objects/structural/rule-functions.ts';
import {
  readSyntax,
  type RuleSyntax,
  withSafeMatches,
} from '../../objects/structural/rule-syntax.ts';
import { largestPart } from '../../objects/structural/rule-value.ts';
import type { ConditionEngine, Judged } from './match-conditions.ts';
import type { ReviewedRequest } from './reviewed-request.ts';

/** Maximum number of steps of one condition. */
const MAX_STEPS = 2_500_000;

/** Maximum number of compiled expressions in the cache; above it the oldest is dropped. */
const MAX_COMPILED = 200;

interface Compiled {
  readonly program: ParseResult;
  readonly syntax: RuleSyntax;
}

export const celConditions: ConditionEngine = makeEngine();

function makeEngine(): ConditionEngine {
  const environment = new Environment({
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
  });
  for (const name of ['object', 'oldObject', 'request']) environment.registerVariable(name, 'dyn');
  registerRuleFunctions(environment, re2Compiler());
  const known = new Map<string, Compiled | { readonly error: string }>();
  return {
    judge: (expression, reviewed) => {
      const compiled = known.get(expression) ?? compile(environment, expression);
      known.delete(expression);
      known.set(expression, compiled);
      for (const oldest of known.keys()) {
        if (known.size <= MAX_COMPILED) break;
        known.delete(oldest);
      }
      return 'error' in compiled ? compiled : run(compiled, reviewed);
    },
  };
}

function compile(
  environment: Environment,
  expression: string,
): Compiled | { readonly error: string } {
  try {
    const syntax = readSyntax(environment.parse(expression).ast);
    const program = environment.parse(withSafeMatches(expression, syntax));
    const checked = program.check();
    if (checked.valid) return { program, syntax };
    return { error: `compilation failed: ${summaryOf(checked.error)}` };
  } catch (error) {
    return { error: `compilation failed: ${summaryOf(error)}` };
  }
}

function run({ program, syntax }: Compiled, reviewed: ReviewedRequest): Judged {
  const { object, oldObject } = reviewed;
  const largest = Math.max(1, largestPart(object), largestPart(oldObject));
  if (syntax.size * largest ** syntax.nesting > MAX_STEPS) {
    return { error: 'the condition could take too long for an object of this size' };
  }
  try {
    const request = { ...reviewed.head, object, oldObject, options: reviewed.options };
    const value: unknown = program({
      object: celValue(object),
      oldObject: celValue(oldObject),
      request: celValue(request),
    });
    return typeof value === 'boolean'
      ? { matches: value }
      : { error: 'it is neither true nor false' };
  } catch (error) {
    return { error: summaryOf(error) };
  }
}

/** Whole numbers become bigint, the integers of CEL. The decoder has already limited the depth of objects. */
function celValue(value: Json): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(celValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, celValue(part)]));
}
