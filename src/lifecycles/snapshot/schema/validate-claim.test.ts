import { describe, expect, it } from 'vitest';

import { fieldProblemMessage } from '../../../controller/definitions/field-problem.ts';
import { validateHookInfos } from './validate.ts';

const resolveRecipe = (): undefined => undefined;

describe("a claim's hooks", () => {
  const field = 'metadata.annotations[lifehook.dev/execution-hook-infos]';
  it('are checked like those of a snapshot, with the annotation as path', () => {
    const judge = (infos: unknown): string[] =>
      validateHookInfos(infos, { field, resolveRecipe }).errors.map(fieldProblemMessage);
    expect(judge([{ executionHookTemplateName: 't' }])).toEqual([]);
    expect(judge({})).toEqual([`${field}: Invalid value: {}: must be a list`]);
    expect(judge([{}])).toEqual([
      `${field}[0].executionHookTemplateName: Required value: name a template, or a recipe`,
    ]);
  });
});
