/** Tests that no timer stays open after a wait: a node has many containers, and runs for months. */
import { expect, test } from 'vitest';

import type { Timers } from '../../platform/platform.ts';
import type { ContainerEnd, RunningContainer } from '../../platform/container-runtime.ts';
import { GraceClock } from './grace.ts';
import type { PodHost } from './pod-host.ts';
import { Prober } from './prober.ts';
import { stopContainer } from './stop-container.ts';

class OpenTimers implements Timers {
  readonly open: Set<() => void> = new Set();

  after(_ms: number, callback: () => void): () => void {
    this.open.add(callback);
    return () => {
      this.open.delete(callback);
    };
  }
}

const clock = { nowMs: () => 0, monotonicMs: () => 0 };

test('a container that ended before its grace leaves none', async () => {
  const timers = new OpenTimers();
  let finish: (end: ContainerEnd) => void = () => undefined;
  const ended = new Promise<ContainerEnd>((resolve) => {
    finish = resolve;
  });
  const container = {
    end: null as ContainerEnd | null,
    ended,
    signal: async () => {
      container.end = { exitCode: 0, signal: null, reason: 'Completed', endedAtMs: 0 };
      finish(container.end);
    },
  };
  const turn = new AbortController();
  turn.abort();
  await stopContainer({
    host: { platform: { clock, timers } } as unknown as PodHost,
    container: container as unknown as RunningContainer,
    name: 'web',
    preStop: { kind: 'none' },
    grace: new GraceClock(30_000),
    turn: turn.signal,
  });
  expect(timers.open.size).toBe(0);
});

test('the probes of a stopped container leave none', () => {
  const timers = new OpenTimers();
  const probe = { httpGet: { port: 80 } };
  const prober = new Prober({
    platform: { clock, timers },
    act: () => Promise.reject(new Error('no probe is due')),
    container: { name: 'web', livenessProbe: probe, readinessProbe: probe },
    podIp: null,
    startedAtMs: 0,
    reported: null,
    onChange: () => undefined,
    onFailure: () => undefined,
  });
  expect(timers.open.size).toBe(2);
  prober.close();
  expect(timers.open.size).toBe(0);
});
