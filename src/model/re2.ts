/**
 * Regular expressions by re2js: Go's dialect, in linear time, since patterns are applied to values of users. This is
 * the only file that imports the engine, so that a bundle without this file is a bundle without re2js.
 */
import { RE2JS, RE2JSSyntaxException } from 're2js';

import type { BadPattern, Compile, Matcher } from './pattern.ts';

/** A compiler that compiles each pattern once, however many files contain it. */
export function re2Compiler(): Compile {
  const compiled = new Map<string, Matcher | BadPattern>();
  return (pattern) => {
    const known = compiled.get(pattern);
    if (known !== undefined) return known;
    const made = compileOne(pattern);
    compiled.set(pattern, made);
    return made;
  };
}

/** Maximum length of a pattern, UTF-16 units: a longer one is refused before it is compiled. */
const PATTERN_MAX_UNITS = 16 * 1024;
/**
 * Maximum number of instructions. RE2 copies a repeated group: "(.*a){900}" has 4502 instructions, and takes seconds
 * for a kilobyte of text.
 */
export const PATTERN_MAX_INSTRUCTIONS = 2000;

function compileOne(pattern: string): Matcher | BadPattern {
  if (pattern.length > PATTERN_MAX_UNITS) {
    return {
      invalid: `it has ${pattern.length} characters, and may have at most ${PATTERN_MAX_UNITS}`,
    };
  }
  try {
    const regex = RE2JS.compile(pattern);
    const size = regex.programSize();
    if (size > PATTERN_MAX_INSTRUCTIONS) {
      return {
        invalid: `it expands to ${size} instructions, and may have at most ${PATTERN_MAX_INSTRUCTIONS}`,
      };
    }
    return { size, matches: (text) => regex.test(text) };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    return { invalid: error.message };
  }
}
