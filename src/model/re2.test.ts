import { describe, expect, it } from 'vitest';

import { PATTERN_MAX_INSTRUCTIONS, re2Compiler } from './re2.ts';

const compiled = (pattern: string): ReturnType<ReturnType<typeof re2Compiler>> =>
  re2Compiler()(pattern);

describe('re2Compiler', () => {
  it('compiles each pattern once', () => {
    const compile = re2Compiler();
    expect(compile('a+')).toBe(compile('a+'));
  });

  it('finds a pattern anywhere in a text', () => {
    const matcher = compiled('a+b');
    if ('invalid' in matcher) throw new Error(matcher.invalid);
    expect(['xaab', 'b'].map((text) => matcher.matches(text))).toEqual([true, false]);
  });

  it('OCI-CASE9: names the error of a pattern that RE2 does not have', () => {
    expect(compiled('(?=x)')).toEqual({
      invalid: 'error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
    });
  });

  it('refuses a pattern of more than 16384 characters before it compiles it', () => {
    const list = (length: number): string => `[${'a'.repeat(length - 2)}]`;
    expect(compiled(list(16_384))).toHaveProperty('size');
    expect(compiled(list(16_385))).toEqual({
      invalid: 'it has 16385 characters, and may have at most 16384',
    });
  });

  it('refuses a pattern that expands to more than 2000 instructions', () => {
    const longest = compiled('a'.repeat(PATTERN_MAX_INSTRUCTIONS - 2));
    expect(longest).toHaveProperty('size', 2000);
    expect(compiled('a'.repeat(PATTERN_MAX_INSTRUCTIONS - 1))).toEqual({
      invalid: 'it expands to 2001 instructions, and may have at most 2000',
    });
  });
});
