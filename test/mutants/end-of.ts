/** Waits for a test that may never end: a mutant can remove the event that ends it. */
import process from 'node:process';

export interface WaitRules {
  readonly limitMs: number;
  /** The wait ends as well when nothing is left in the process that could end the test. */
  readonly untilIdle: boolean;
}

export interface TestEnd {
  /** The first line of the error; null: the test passed. */
  readonly error: string | null;
  /** Nothing but the test's own promise was left at some time. */
  readonly wasIdle: boolean;
}

const LOOK_MS = 25;

/** Looks in a row that have to agree: what a promise starts is not there in the same moment. */
const IDLE_LOOKS = 3;

/** What a process has open that only waits for vitest. */
const OF_VITEST = new Set(['PipeWrap', 'TTYWrap', 'MessagePort']);

export async function endOf(
  test: Promise<unknown>,
  { limitMs, untilIdle }: WaitRules,
): Promise<TestEnd> {
  const endsMs = performance.now() + limitMs;
  let idleLooks = 0;
  let wasIdle = false;
  let timer: NodeJS.Timeout | undefined;
  const given = new Promise<string>((giveUp) => {
    // A timer that keeps a process alive would be found among what is left in it.
    timer = setInterval(() => {
      idleLooks = isIdle() ? idleLooks + 1 : 0;
      wasIdle ||= idleLooks === IDLE_LOOKS;
      if (wasIdle && untilIdle) giveUp('nothing was left that could end the test');
      if (performance.now() > endsMs) giveUp(`the test was running for ${limitMs} ms`);
    }, LOOK_MS).unref();
  });
  const passed = test.then(
    () => null,
    (error: unknown) => firstLine(error),
  );
  const error = await Promise.race([passed, given]);
  clearInterval(timer);
  return { error, wasIdle };
}

export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : JSON.stringify({ error });
  return text.split('\n', 1)[0] ?? '';
}

function isIdle(): boolean {
  return process.getActiveResourcesInfo().every((name) => OF_VITEST.has(name));
}
