/**
 * Starts one run of a container: prepares its spec, starts the process, runs the postStart hook.
 *
 *  POD-T1 The container counts as running only when its postStart hook has succeeded.
 *  POD-T2 A failed postStart hook stops the container, with its preStop hook and its grace period (POD-K2).
 *  POD-T3 A postStart hook is stopped when its container exits or must stop.
 */
import type { CancelSignal } from '../../platform/platform.ts';
import { errorText } from '../../platform/error-text.ts';
import { type RunningContainer, StartError } from '../../platform/container-runtime.ts';
import type { PodHook } from './hook.ts';
import { podAct } from './pod-act.ts';
import type { PodHost, Preparing } from './pod-host.ts';
import { runHook } from './run-hook.ts';

export interface Starting extends Preparing {
  readonly host: PodHost;
  readonly postStart: () => PodHook;
  /** Called when the process exists, and before its hook runs. */
  onStarted(container: RunningContainer): void;
  /** Aborted when the container must stop. */
  readonly signal: CancelSignal;
}

export type StartOutcome =
  | { readonly kind: 'running' }
  /** The hook failed, and the container may still run. */
  | { readonly kind: 'postStartFailed' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly error: StartError };

export async function startContainer(starting: Starting): Promise<StartOutcome> {
  let container: RunningContainer | null;
  try {
    container = await startProcess(starting);
  } catch (error) {
    const failure = startError(error);
    reportFailure(starting, failure);
    return { kind: 'failed', error: failure };
  }
  // The process exists from here on: no error may lead to a second process.
  return container === null ? { kind: 'cancelled' } : finishStart(starting, container);
}

async function startProcess(starting: Starting): Promise<RunningContainer | null> {
  const { host, signal } = starting;
  const spec = await host.prepare(starting);
  if (signal.aborted) return null;
  report(starting, { reason: 'Created', message: 'Container created' });
  const container = await host.runtime.start(spec);
  report(starting, { reason: 'Started', message: 'Container started' });
  starting.onStarted(container);
  return container;
}

/** Emits the failure. A volume belongs to the pod, so its event is about the pod. */
function reportFailure(starting: Starting, { reason, message }: StartError): void {
  if (reason === 'FailedMount') {
    starting.host.event({ type: 'Warning', reason, message });
    return;
  }
  const absent = reason === 'ErrImageNeverPull';
  if (absent) report(starting, { reason, message, warning: true });
  report(starting, {
    reason: 'Failed',
    message: `Error: ${absent ? reason : message}`,
    warning: true,
  });
}

/** Turns every other error of the runtime into a failed start: the start is retried, and the node does not crash. */
function startError(error: unknown): StartError {
  if (error instanceof StartError) return error;
  return new StartError('CreateContainerError', errorText(error));
}

/** The rest of a start after the process exists, also for a container that a restarted node has found. */
export async function finishStart(
  starting: Starting,
  container: RunningContainer,
): Promise<StartOutcome> {
  const prepared = starting.postStart();
  if (prepared.kind === 'none') return { kind: 'running' };
  if (prepared.kind === 'invalid') return failPostStart(starting, prepared.reason);
  const { host, signal } = starting;
  const ending = new AbortController();
  const end = (): void => {
    ending.abort();
  };
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  void container.ended.then(end);
  const act = podAct({
    platform: host.platform,
    container,
    onHttpFallback: () => {
      const message =
        'postStart: the server answered plain HTTP to an HTTPS request; the request was sent again over HTTP';
      report(starting, { reason: 'LifecycleHTTPFallback', message, warning: true });
    },
  });
  const runId = `${container.id}/postStart`;
  const { hook } = prepared;
  const result = await runHook({ host, hook, runId, act, signal: ending.signal });
  signal.removeEventListener('abort', end);
  if (result.succeeded) return { kind: 'running' };
  if (signal.aborted) return { kind: 'cancelled' };
  // A sleep never fails by itself, so the container has just ended.
  if (container.end !== null && hook.handler.kind === 'sleep') return { kind: 'running' };
  return failPostStart(
    starting,
    container.end === null ? result.reason : 'the container exited before its hook ended',
  );
}

function failPostStart(starting: Starting, reason: string): StartOutcome {
  report(starting, {
    reason: 'FailedPostStartHook',
    message: `PostStartHook failed: ${reason}`,
    warning: true,
  });
  return { kind: 'postStartFailed' };
}

function report(
  { host, container }: Starting,
  { reason, message, warning = false }: { reason: string; message: string; warning?: boolean },
): void {
  const type = warning ? 'Warning' : 'Normal';
  host.event({ type, reason, message, container: container.name });
}
