/** One pod as a user runs it: `lifehook up`, and a container with a postStart and a preStop hook. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Bench, openBench } from '../e2e/pod-bench.ts';
import { podLog } from '../e2e/pod-log.ts';

let bench: Bench;

beforeAll(async () => {
  bench = await openBench('process');
});

afterAll(async () => {
  await bench[Symbol.asyncDispose]();
});

const SLEEP_SECONDS = 2;
/** Seconds; longer than a test waits, so the test fails if the process is killed only after its grace period. */
const GRACE_SECONDS = 600;

/** Prints "tick" until TERM, then the output of its hooks. */
const TICKING = 'trap "cat hooks; echo TERM; exit 0" TERM; while :; do echo tick; sleep 0.1; done';

const writes = (word: string): object => ({
  exec: { command: ['sh', '-c', `echo ${word} >>hooks`] },
});

/** Resolves once the container has started. The returned function resolves with the container's whole output. */
async function following(pod: string): Promise<() => Promise<string>> {
  const log = podLog(bench.cluster.connection, { namespace: 'default', pod, follow: true });
  await bench.until(pod, 'is ready', (seen) => bench.status(seen)?.ready === true);
  return () => log;
}

describe('a pod with hooks', () => {
  it('runs postStart before it is running, and preStop before it gets SIGTERM', async () => {
    const lifecycle = { postStart: writes('postStart'), preStop: writes('preStop') };
    await bench.create('hooked', {
      terminationGracePeriodSeconds: GRACE_SECONDS,
      containers: [bench.container(TICKING, { lifecycle })],
    });
    await bench.running('hooked');
    expect(await bench.exec('hooked', 'cat hooks')).toBe('postStart\n');
    const log = await following('hooked');
    await bench.remove('hooked');
    const lines = (await log()).split('\n').filter((line) => line !== 'tick');
    expect(lines).toEqual(['postStart', 'preStop', 'TERM', '']);
  });

  it('keeps running during a preStop sleep, and gets SIGTERM after it', async () => {
    const lifecycle = { preStop: { sleep: { seconds: SLEEP_SECONDS } } };
    const script = 'trap "echo TERM; exit 0" TERM; while :; do echo tick; sleep 0.1; done';
    await bench.create('sleeps', {
      terminationGracePeriodSeconds: GRACE_SECONDS,
      containers: [bench.container(script, { lifecycle })],
    });
    await bench.running('sleeps');
    const log = await following('sleeps');
    const before = await bench.logs('sleeps');
    const begunMs = Date.now();
    await bench.remove('sleeps');
    expect(Date.now() - begunMs).toBeGreaterThanOrEqual(SLEEP_SECONDS * 1_000);
    const lines = (await log()).trimEnd().split('\n');
    expect(lines.at(-1)).toBe('TERM');
    expect(lines.length).toBeGreaterThan(before.split('\n').length + 2);
  });
});
