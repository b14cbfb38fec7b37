/** Helpers for the tests of the runners: waits with a generous limit, session output, and identifiable processes. */
import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import type { ExecSession } from '../../src/platform/container-runtime.ts';
import { processList } from './process-list.ts';

/** Milliseconds; far more than a busy machine needs. */
const PATIENCE_MS = 60_000;

export async function until(what: () => Promise<boolean> | boolean): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  while (performance.now() < endMs) {
    if (await what()) return;
    await wait(10);
  }
  throw new Error(`the condition did not hold within ${PATIENCE_MS / 1_000} s`);
}

/** The output of a session: `text` so far, `whole` at its end. */
export function follow({ stdout }: ExecSession): { text: () => string; whole: Promise<string> } {
  let text = '';
  const read = async (): Promise<string> => {
    for await (const piece of stdout) text += Buffer.from(piece).toString('utf8');
    return text;
  };
  return { text: () => text, whole: read() };
}

/** A duration in seconds with a random fraction, so that no other process has the same `sleep` argument. */
export function ownMark(seconds: number): string {
  return `${seconds}.${randomInt(1e9)}`;
}

/** Number of `sleep MARK` processes on this machine. */
export function sleepers(mark: string): number {
  return processList().filter(({ line }) => line === `sleep ${mark}`).length;
}
