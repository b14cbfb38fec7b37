/**
 * Puts the literal forms before an engine: a pattern is given to the engine only when a text is tried
 * that the literal forms cannot decide.
 */
import { classify, matchesForm, type PatternShape } from './literal.ts';
import type { Compile, Matcher } from './pattern.ts';

/**
 * For patterns that were found valid when their file was read (`invalidityOf`): a bad one that is not
 * literal would be found out only at the first text that needs the engine, and then throws.
 * `shapeOf` may come from an index that stored the shapes.
 */
export function literalFirst(
  compile: Compile,
  shapeOf: (pattern: string) => PatternShape = classify,
): (pattern: string) => Matcher {
  const matchers = new Map<string, Matcher>();
  return (pattern) => {
    const known = matchers.get(pattern);
    if (known !== undefined) return known;
    const made = matcherOf(pattern, shapeOf(pattern), compile);
    matchers.set(pattern, made);
    return made;
  };
}

/** What is wrong with the pattern, if anything; literal patterns are valid without asking the engine. */
export function invalidityOf(pattern: string, compile: Compile): string | undefined {
  if (classify(pattern).kind === 'literal') return undefined;
  const compiled = compile(pattern);
  return 'invalid' in compiled ? compiled.invalid : undefined;
}

function matcherOf(pattern: string, shape: PatternShape, compile: Compile): Matcher {
  if (shape.kind === 'literal') {
    return { matches: (text) => shape.forms.some((form) => matchesForm(form, text)) };
  }
  let engine: Matcher | undefined;
  return {
    matches: (text) => {
      if (!text.includes(shape.required)) return false;
      engine ??= validMatcher(pattern, compile);
      return engine.matches(text);
    },
  };
}

function validMatcher(pattern: string, compile: Compile): Matcher {
  const compiled = compile(pattern);
  if ('invalid' in compiled) throw new Error(`a bad pattern was not refused: ${compiled.invalid}`);
  return compiled;
}
