/** Prints a line every few seconds while tests run, so that a user sees the progress and the slow tests. */
import process from 'node:process';
import type { Reporter, TestCase, TestModule, TestSpecification } from 'vitest/node';

/** Milliseconds between two lines. Below five seconds, because a program that is silent for longer seems to hang. */
const EVERY_MS = 4_000;
/** Maximum number of running tests that a line names. */
const NAMED_MAX = 2;

class Progress implements Reporter {
  private files = { started: 0, ended: 0 };
  private readonly tests = { passed: 0, failed: 0, skipped: 0, pending: 0 };
  private readonly running = new Set<TestCase>();
  private timer: NodeJS.Timeout | undefined;

  public onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.files = { started: specifications.length, ended: 0 };
    this.timer = setInterval(() => {
      this.print();
    }, EVERY_MS);
  }

  public onTestCaseReady(test: TestCase): void {
    this.running.add(test);
  }

  public onTestCaseResult(test: TestCase): void {
    this.running.delete(test);
    this.tests[test.result().state] += 1;
  }

  public onTestModuleEnd(_module: TestModule): void {
    this.files.ended += 1;
  }

  public onTestRunEnd(): void {
    clearInterval(this.timer);
  }

  private print(): void {
    const { passed, failed } = this.tests;
    const names = [...this.running].slice(0, NAMED_MAX).map(nameOf);
    const now = names.length === 0 ? '' : `; running ${names.join(', ')}`;
    process.stdout.write(
      `  ${this.files.ended} of ${this.files.started} files, ${passed} passed, ${failed} failed${now}\n`,
    );
  }
}

function nameOf({ module }: TestCase): string {
  return module.relativeModuleId.replace(/\.test\.ts$/, '');
}

export const progress: Reporter = new Progress();
