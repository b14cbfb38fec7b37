import { describe, expect, test } from 'vitest';

import { expandGoTemplate, MAX_TEMPLATE_UNITS } from './go-template.ts';

const facts = {
  data: { FOO: 'bar', EMPTY: '', hooks: { 'build/web/after/0': { V: 'one' } } },
  command: (argv: readonly string[]) =>
    Promise.resolve(argv[0] === 'git' ? argv.slice(1).join('+') : null),
};

describe('templates', () => {
  test.each([
    ['plain', 'plain'],
    ['{{.FOO}}', 'bar'],
    ['{{ .FOO | upper }}-x', 'BAR-x'],
    ['a {{- .FOO -}} b', 'abarb'],
    ['{{ .NONE | default "none" }}', 'none'],
    ['{{ default "none" .EMPTY }}', 'none'],
    ['{{ index .hooks "build/web/after/0" "V" }}', 'one'],
    ['{{ cmd "git" "rev-parse" | trunc 5 }}', 'rev-p'],
    ['{{ replace "a" `b` (upper .FOO | lower) }}', 'bbr'],
    ['{{ trunc -2 .FOO }}', 'ar'],
    ['{{ env "FOO" }}{{ env "NONE" }}', 'bar'],
    ['{{ trimPrefix "b" .FOO }}{{ trimSuffix "r" .FOO }}{{ trim " x " }}', 'arbax'],
    ['{{ quote .FOO }}{{ 7 }}{{ "a\\"b" }}', '"bar"7a"b'],
  ])('%s expands to %s', async (template, text) => {
    expect(await expandGoTemplate(template, facts)).toEqual({ kind: 'text', text });
  });

  test.each([
    ['{{ .NONE }}', 'has no value'],
    ['{{ .FOO.constructor }}', 'has no value'],
    ['{{ constructor }}', 'is no function that is known'],
    ['{{ if .FOO }}x{{ end }}', '"if" is no function that is known'],
    ['{{ .FOO', 'is not understood'],
    ['{{ .FOO | .FOO }}', 'only a function can follow'],
    ['{{ .FOO .FOO }}', 'only a function takes arguments'],
    ['{{ upper (.FOO }}', 'a "(" has no ")"'],
    ['{{ upper .FOO) }}', 'a ")" closes nothing'],
    ['{{ }}', 'a value is missing'],
    ['{{ upper .NONE }}', 'is not a string'],
    ['{{ upper "a" "b" }}', 'takes 1 arguments, and 2 were given'],
    ['{{ cmd "false" }}', 'failed'],
    [`{{ ${'('.repeat(20)}"a"${')'.repeat(20)} }}`, 'too deep'],
    ['x'.repeat(MAX_TEMPLATE_UNITS + 1), 'longer than'],
  ])('%s is refused', async (template, reason) => {
    const result = await expandGoTemplate(template, facts);
    expect(result).toEqual({ kind: 'wrong', reason: expect.stringContaining(reason) });
  });
});
