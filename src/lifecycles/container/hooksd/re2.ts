/**
 * RE2 through re2js: Go's dialect in linear time, since patterns meet values that users choose. This is
 * the only file that imports the engine, so that a bundle without this file is a bundle without re2js.
 */
import { RE2JS, RE2JSSyntaxException } from 're2js';

import type { BadPattern, Compile, Matcher } from './pattern.ts';

/** A compiler that compiles each pattern once, however many files hold it. */
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

function compileOne(pattern: string): Matcher | BadPattern {
  try {
    const regex = RE2JS.compile(pattern);
    return { matches: (text) => regex.test(text) };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    return { invalid: error.message };
  }
}
