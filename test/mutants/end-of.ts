/** Waits for a test that may never end, because a mutant can remove the event that ends it. */
import process from 'node:process';

export interface WaitRules {
  readonly limitMs: number;
  /** True: the wait also ends when the process has nothing left that could end the test. */
  readonly untilIdle: boolean;
}

export interface TestEnd {
  /** The first line of the error; null if the test passed. */
  readonly error: string | null;
  /** Whether the process had, at some time, nothing left but the test's own promise. */
  readonly wasIdle: boolean;
}

const LOOK_MS = 25;

/** Number of consecutive checks that must agree, because work that a promise starts is not visible at once. */
const IDLE_LOOKS = 3;

/** Open resources of a process that only wait for vitest. */
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
    // The timer must not keep the process alive, because it would then count as an open resource.
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
