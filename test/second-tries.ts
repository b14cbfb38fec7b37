/** Tells which tests passed only at their second try, and why the first failed; the gate counts these lines. */
import process from 'node:process';
import type { Reporter, TestCase } from 'vitest/node';

export const secondTries: Reporter = {
  onTestCaseResult: (test: TestCase): void => {
    const { retryCount = 0 } = test.diagnostic() ?? {};
    const { state, errors = [] } = test.result();
    if (state !== 'passed' || retryCount === 0) return;
    const [first] = errors;
    console.log(`SECOND TRY ${test.module.relativeModuleId} > ${test.fullName}`);
    console.log(
      `  ${first?.message ?? 'the first failure is not known'}\n  ${placeIn(first?.stack)}`,
    );
  },
};

function placeIn(stack: string | undefined): string {
  return (stack?.split('\n') ?? []).find((line) => line.includes('.test.ts:'))?.trim() ?? '';
}
