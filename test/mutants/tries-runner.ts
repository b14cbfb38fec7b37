/**
 * A vitest runner for code that has all its mutants behind switches.
 *
 * It runs each test again for every mutant that the test covers, in one process, without loading anything again. The
 * hooks around a test run each time. beforeAll and the top level of modules run once, before a mutant is switched on.
 */
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import {
  inject,
  type RunnerTask,
  type RunnerTaskResult,
  type RunnerTestCase,
  type RunnerTestFile,
} from 'vitest';
import { VitestTestRunner } from 'vitest/runners';

import { endOf, firstLine, type TestEnd } from './end-of.ts';
import type { Report, TriesOrder } from './journal.ts';
import { Switches } from './switches.ts';
import { TestTries, type Bounds } from './test-tries.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly triesOrder: TriesOrder;
  }
}

const FIRST_RUN_MAX_MS = 120_000;
const RUN_MAX_MS = 20_000;

/** An error that only makes vitest repeat the test. */
const AGAIN = { name: 'Again', message: 'the next mutant' };

/** Coverage key for code outside of first runs, such as beforeAll: no test covers such code. */
const NO_FIRST_RUN = 'no first run';

const switches = new Switches();
Object.assign(globalThis, { __stryker__: switches });

export default class TriesRunner extends VitestTestRunner {
  readonly #order = inject('triesOrder');
  readonly #bounds: Bounds = { killed: new Set(this.#order.killed), slowMs: this.#order.slowMs };
  readonly #done = new Set(this.#order.done);
  readonly #only = this.#order.only === null ? null : new Set(this.#order.only);
  #tries!: TestTries;
  #startMs = 0;
  #end: TestEnd | null = null;
  #isIdleAlone = false;
  /** How many switches the test evaluates without a mutant. */
  #firstPasses = 0;

  constructor(config: VitestTestRunner['config']) {
    super(config);
    this.#report({ pid: process.pid });
  }

  override onCollectStart(file: RunnerTestFile): void {
    super.onCollectStart(file);
    // While a file loads, coverage belongs to no test.
    switches.currentTestId = undefined;
  }

  onBeforeRunFiles(): void {
    // Code that beforeAll calls must not count as loading.
    switches.currentTestId = NO_FIRST_RUN;
  }

  override async onBeforeRunTask(task: RunnerTask): Promise<void> {
    if (this.#done.has(task.id) || this.#only?.has(task.id) === false) task.mode = 'skip';
    await super.onBeforeRunTask(task);
    const { id, file } = task;
    const name = `${file.name} > ${task.name}`;
    this.#tries = new TestTries({ id, name, file: file.filepath }, this.#bounds);
    this.#isIdleAlone = false;
    task.retry = Number.MAX_SAFE_INTEGER;
  }

  override onBeforeTryTask(task: RunnerTestCase): void {
    super.onBeforeTryTask(task);
    // Vitest would await the promises that an earlier run registered, and these may never settle.
    delete task.promises;
    this.#end = null;
    this.#startMs = performance.now();
    switches.begin(this.#tries.isFirst ? task.id : NO_FIRST_RUN);
    const mutant = this.#tries.mutant;
    if (mutant === undefined) return;
    this.#report({ trying: mutant });
    switches.turnOn(mutant, { id: task.id, passes: this.#firstPasses });
  }

  /** Catches errors itself, because vitest takes long to describe one. */
  async runTask(test: RunnerTestCase): Promise<void> {
    const isFirst = this.#tries.isFirst;
    this.#end = await endOf(Promise.resolve(VitestTestRunner.getTestFn(test)()), {
      limitMs: isFirst ? FIRST_RUN_MAX_MS : RUN_MAX_MS,
      untilIdle: !isFirst && !this.#isIdleAlone,
    });
    // The test waits for something that keeps no process alive, such as an unreferenced timer.
    if (isFirst) this.#isIdleAlone = this.#end.wasIdle;
  }

  onAfterRetryTask({ id, result }: RunnerTestCase): void {
    const { wasEndless, passes } = switches.turnOff();
    switches.currentTestId = NO_FIRST_RUN;
    if (this.#tries.isFirst) this.#firstPasses = passes;
    // A test may skip itself.
    if (result === undefined || result.state === 'skip') return;
    const report = this.#tries.ended({
      error: wasEndless ? 'an endless loop' : (this.#end?.error ?? errorOfHooks(result)),
      ms: performance.now() - this.#startMs,
      covers: Object.keys(switches.hitsOf(id)),
    });
    if (report !== null) this.#report(report);
    result.errors = this.#tries.isOver ? [] : [AGAIN];
    result.state = this.#tries.isOver ? 'pass' : 'run';
  }

  override onAfterRunFiles(files: readonly RunnerTestFile[] = []): void {
    super.onAfterRunFiles();
    for (const { name, result } of files) {
      if (result?.state !== 'fail') continue;
      const error = result.errors?.[0]?.message ?? 'a hook of its tests failed';
      this.#report({ red: name, error: firstLine(new Error(error)) });
    }
    this.#report({ loading: Object.keys(switches.mutantCoverage.static) });
  }

  #report(report: Report): void {
    appendFileSync(this.#order.journal, `${JSON.stringify(report)}\n`);
  }
}

function errorOfHooks({ errors = [] }: RunnerTaskResult): string | null {
  const error = errors.find((one) => one !== AGAIN);
  return error === undefined ? null : firstLine(error);
}
