/** Tells which tests passed only at their second try, and why the first failed; the gate shows these lines. */
import process from 'node:process';
import type { Reporter, TestCase } from 'vitest/node';

export const secondTries: Reporter = {
  onTestCaseResult: (test: TestCase): void => {
    const { retryCount = 0 } = test.diagnostic() ?? {};
    const { state, errors = [] } = test.result();
    if (state !== 'passed' || retryCount === 0) return;
    const [{ message, stack } = { message: 'the first failure is not known' }] = errors;
    const title = `SECOND TRY ${test.module.relativeModuleId} > ${test.fullName}`;
    process.stdout.write(`${title}\n  ${message}\n  ${placeIn(stack)}\n`);
  },
};

function placeIn(stack: string | undefined): string {
  return (stack?.split('\n') ?? []).find((line) => line.includes('.test.ts:'))?.trim() ?? '';
}
