/** Patterns in Go's dialect, in linear time: this is the only file of the pipeline that imports the engine. */
import { RE2JS, RE2JSException } from 're2js';

/** Whether the pattern is found in the text; of what is no pattern, why. */
export function patternFound(
  pattern: string,
  text: string,
): boolean | { readonly invalid: string } {
  try {
    return RE2JS.compile(pattern).test(text);
  } catch (error) {
    if (error instanceof RE2JSException) return { invalid: error.message };
    throw error;
  }
}
