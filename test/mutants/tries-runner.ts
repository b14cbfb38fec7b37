/**
 * Vitest's runner of tests, for code that has all its mutants behind switches. Runs each test again for every mutant that it
 * covers, in one process, without loading anything again. The hooks around a test run each time; beforeAll and what
 * modules do while they load run once, before a mutant is switched on.
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
import { TestTries, type Bounds } from './test-tries.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly triesOrder: TriesOrder;
  }
}

/** How often the switch of each mutant was passed. */
type Hits = Record<string, number>;

/** What the switches read and count; its shape is that of the instrumenter. */
interface Switches {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  readonly mutantCoverage: { readonly static: Hits; readonly perTest: Record<string, Hits> };
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

/** A loop is endless, as for StrykerJS, that passes a switch so many times as often as the test without the mutant. */
const HIT_FACTOR = 100;
const HITS_MIN = 100;

const FIRST_RUN_MAX_MS = 120_000;
const RUN_MAX_MS = 20_000;

/** Vitest runs a test again only where it has an error. */
const AGAIN = { name: 'Again', message: 'the next mutant' };

/** Whatever runs then is not what a test covers. */
const NO_FIRST_RUN = 'no first run';

const switches: Switches = { mutantCoverage: { static: {}, perTest: {} } };
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

  constructor(config: VitestTestRunner['config']) {
    super(config);
    this.#report({ pid: process.pid });
  }

  override onCollectStart(file: RunnerTestFile): void {
    super.onCollectStart(file);
    // While a file loads, and only then, coverage counts as that of no test.
    switches.currentTestId = undefined;
  }

  onBeforeRunFiles(): void {
    // What beforeAll reaches is no loading.
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
    // Vitest awaits what an earlier run of the test expected of promises, which may never settle.
    delete task.promises;
    this.#end = null;
    this.#startMs = performance.now();
    switches.currentTestId = this.#tries.isFirst ? task.id : NO_FIRST_RUN;
    const mutant = this.#tries.mutant;
    if (mutant === undefined) return;
    this.#report({ trying: mutant });
    switches.hitCount = 0;
    switches.hitLimit = HITS_MIN + HIT_FACTOR * (hitsOf(task)[mutant] ?? 0);
    switches.activeMutant = mutant;
  }

  /** Catches the error itself, since vitest takes long to describe one. */
  async runTask(test: RunnerTestCase): Promise<void> {
    const isFirst = this.#tries.isFirst;
    this.#end = await endOf(Promise.resolve(VitestTestRunner.getTestFn(test)()), {
      limitMs: isFirst ? FIRST_RUN_MAX_MS : RUN_MAX_MS,
      untilIdle: !isFirst && !this.#isIdleAlone,
    });
    // It waits for what does not keep a process alive, such as a timer without a reference.
    if (isFirst) this.#isIdleAlone = this.#end.wasIdle;
  }

  onAfterRetryTask({ id, result }: RunnerTestCase): void {
    const isEndless = switchOff();
    // A test may skip itself.
    if (result === undefined || result.state === 'skip') return;
    const report = this.#tries.ended({
      error: isEndless ? 'an endless loop' : (this.#end?.error ?? errorOfHooks(result)),
      ms: performance.now() - this.#startMs,
      covers: Object.keys(hitsOf({ id })),
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

/** True: the mutant that was on made a loop endless, also where the code caught the error of its switch. */
function switchOff(): boolean {
  const { hitCount = 0, hitLimit = Infinity } = switches;
  switches.activeMutant = switches.hitCount = undefined;
  switches.currentTestId = NO_FIRST_RUN;
  return hitCount > hitLimit;
}

function hitsOf({ id }: { readonly id: string }): Hits {
  return switches.mutantCoverage.perTest[id] ?? {};
}

function errorOfHooks({ errors = [] }: RunnerTaskResult): string | null {
  const error = errors.find((one) => one !== AGAIN);
  return error === undefined ? null : firstLine(error);
}
