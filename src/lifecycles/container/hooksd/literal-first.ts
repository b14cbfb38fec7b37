/**
 * Matches by literal forms where possible. The regular expression engine compiles a pattern only for a text that its
 * literal forms cannot decide.
 */
import { LifehookError } from '../../../model/problem.ts';
import { classify, matchesForm } from './literal.ts';
import type { Compile, Matcher } from '../../../model/pattern.ts';

/** The limit for all matches of one container, in instructions times characters: some seconds in the shim. */
const STEPS_MAX = 50_000_000;

/**
 * Expects patterns that were found valid when their file was read (`invalidityOf`). An invalid pattern that is not
 * literal throws only at the first text that needs the engine.
 */
export function literalFirst(compile: Compile): (pattern: string) => Matcher {
  const matchers = new Map<string, Matcher>();
  const budget = { stepsLeft: STEPS_MAX };
  return (pattern) => {
    const known = matchers.get(pattern);
    if (known !== undefined) return known;
    const made = matcherOf(pattern, { compile, budget });
    matchers.set(pattern, made);
    return made;
  };
}

/** The error in the pattern, if any; literal patterns are valid without asking the engine. */
export function invalidityOf(pattern: string, compile: Compile): string | undefined {
  if (classify(pattern).kind === 'literal') return undefined;
  const compiled = compile(pattern);
  return 'invalid' in compiled ? compiled.invalid : undefined;
}

interface Trying {
  readonly compile: Compile;
  readonly budget: { stepsLeft: number };
}

function matcherOf(pattern: string, { compile, budget }: Trying): Matcher {
  const shape = classify(pattern);
  if (shape.kind === 'literal') {
    return {
      size: shape.forms.length,
      matches: (text) => shape.forms.some((form) => matchesForm(form, text)),
    };
  }
  let engine: Matcher | undefined;
  return {
    size: pattern.length,
    matches: (text) => {
      if (!text.includes(shape.required)) return false;
      engine ??= validMatcher(pattern, compile);
      budget.stepsLeft -= engine.size * text.length;
      if (budget.stepsLeft < 0) throw tooCostly(pattern, text.length);
      return engine.matches(text);
    },
  };
}

function tooCostly(pattern: string, length: number): LifehookError {
  return new LifehookError({
    code: 'LHC123',
    message: `The patterns of hook files may take at most ${STEPS_MAX} steps for one container: ${JSON.stringify(pattern)} on a text of ${length} characters would exceed that.`,
    next: 'Make the pattern simpler, or the annotation shorter.',
  });
}

function validMatcher(pattern: string, compile: Compile): Matcher {
  const compiled = compile(pattern);
  if ('invalid' in compiled) throw new Error(`a bad pattern was not refused: ${compiled.invalid}`);
  return compiled;
}
