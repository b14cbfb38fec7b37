/** What the matching code asks of a regular expression engine. The engine itself is injected. */

/** Whether the pattern is found anywhere in a text (hooks.d patterns are not anchored). */
export interface Matcher {
  matches(text: string): boolean;
  /** Instructions of the compiled pattern: with the length of a text it says what a try may cost. */
  readonly size: number;
}

export interface BadPattern {
  /** What is wrong with the pattern, in the engine's words. */
  readonly invalid: string;
}

export type Compile = (pattern: string) => Matcher | BadPattern;
