/**
 * Stops one container, from the decision to the exit of its process (POD-SL6 to POD-SL12).
 *
 *  POD-S1 The preStop hook runs only in a running container, and only if there is a grace period.
 *  POD-S2 The hook ends by itself, at the end of the grace period, or when its container exits, whichever is first. A
 *     sleep does not outlast its container (POD-SL11).
 *  POD-S3 A container that must wait for other containers waits after its hook, at most until the end of the grace
 *     period.
 *  POD-S4 TERM, then KILL at the time of `killAtMs`. The container is stopped even if the hook failed.
 */
import type { AttemptResult } from '../../model/attempt.ts';
import type { CancelSignal, Platform } from '../../platform/platform.ts';
import type { RunningContainer } from '../../platform/container-runtime.ts';
import { killAtMs, type GraceClock } from './grace.ts';
import type { PodHook } from './hook.ts';
import { podAct } from './pod-act.ts';
import type { PodHost } from './pod-host.ts';
import { runHook } from './run-hook.ts';

export interface Stopping {
  readonly host: PodHost;
  readonly container: RunningContainer;
  /** The container's name in the pod. */
  readonly name: string;
  readonly preStop: PodHook;
  readonly grace: GraceClock;
  /**
   * Aborts when the container no longer waits for other containers: TERM may then be sent before the end of the grace
   * period.
   */
  readonly turn: CancelSignal;
}

export async function stopContainer(stop: Stopping): Promise<void> {
  const { container, host } = stop;
  const { clock } = host.platform;
  if (container.end === null && clock.monotonicMs() < stop.grace.endsAtMs) await preStop(stop);
  if (container.end === null) await passed(stop, () => stop.grace.endsAtMs, stop.turn);
  if (container.end === null) {
    await container.signal('SIGTERM');
    const termAtMs = clock.monotonicMs();
    await passed(stop, () => killAtMs({ termAtMs, graceEndsAtMs: stop.grace.endsAtMs }));
  }
  if (container.end === null) await container.kill();
  await container.ended;
}

async function preStop(stop: Stopping): Promise<void> {
  const { preStop: prepared, host, container, name } = stop;
  if (prepared.kind === 'none') return;
  if (prepared.kind === 'invalid') {
    reportFailure(stop, prepared.reason);
    return;
  }
  const ending = new AbortController();
  const over = endWithGrace(stop, ending);
  const act = podAct({
    platform: host.platform,
    container,
    onHttpFallback: () => {
      const message =
        'preStop: the server answered plain HTTP to an HTTPS request; the request was sent again over HTTP';
      host.event({ type: 'Warning', reason: 'LifecycleHTTPFallback', message, container: name });
    },
  });
  const { hook } = prepared;
  const runId = `${container.id}/preStop`;
  const result = await runHook({ host, hook, runId, act, signal: ending.signal });
  ending.abort();
  await over;
  if (!result.succeeded) judgeFailure(stop, result.last);
}

async function endWithGrace(stop: Stopping, ending: AbortController): Promise<void> {
  await passed(stop, () => stop.grace.endsAtMs, ending.signal);
  ending.abort();
}

/**
 * Reports a failed hook. The end of the grace period may interrupt a hook; that is a failure only if a command was
 * killed (POD-K6, POD-K7).
 */
function judgeFailure(stop: Stopping, last: AttemptResult | null): void {
  const { container, preStop: prepared } = stop;
  const kind = prepared.kind === 'hook' ? prepared.hook.handler.kind : null;
  const cut = last === null || last.outcome === 'Cancelled';
  if (cut && container.end !== null) {
    const what = kind === 'sleep' ? 'sleep hook' : 'its preStop hook';
    reportFailure(stop, `container terminated before ${what} finished`);
    return;
  }
  if (cut && kind !== 'exec') return;
  reportFailure(
    stop,
    cut ? 'the grace period ended before the command of the hook did' : last.reason,
  );
}

function reportFailure({ host, name }: Stopping, reason: string): void {
  const message = `PreStopHook failed: ${reason}`;
  host.event({ type: 'Warning', reason: 'FailedPreStopHook', message, container: name });
}

/**
 * Resolves at `atMs()`, when the container has ended, or when the signal aborts. `atMs()` may become earlier meanwhile.
 */
function passed(stop: Stopping, atMs: () => number, signal?: CancelSignal): Promise<void> {
  const { clock, timers }: Pick<Platform, 'clock' | 'timers'> = stop.host.platform;
  return new Promise((resolve) => {
    let callOff = (): void => {};
    const end = (): void => {
      callOff();
      release();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const arm = (): void => {
      callOff();
      callOff = timers.after(Math.max(0, atMs() - clock.monotonicMs()), end);
    };
    const release = stop.grace.onShortened(arm);
    arm();
    signal?.addEventListener('abort', end);
    if (signal?.aborted === true) end();
    void stop.container.ended.then(end);
  });
}
