import { type AttemptRequest, bareResult } from '../engine/act.ts';
import type { ExecOptions } from '../kube/exec.ts';
import type { ExecResult } from '../kube/exec-result.ts';
import type { AttemptResult } from '../model/attempt.ts';
import type { ExecHandler } from '../model/hook.ts';
import { makeMasker } from '../model/secrets.ts';
import type { Platform } from '../platform/platform.ts';
import { describeStop, reachedLimit } from './limits.ts';
import { captureOutput, type OutputCapture, type StreamName } from './output-tail.ts';

/** Runs a command in a container: `execInPod` for a cluster, or the implementation of a node. */
export type ExecPort = (options: ExecOptions) => Promise<ExecResult>;

export interface ExecPlatform extends Pick<Platform, 'clock'> {
  /** Runs commands in containers; absent: there is no cluster. */
  readonly exec?: ExecPort;
}

/**
 * Runs a command in a running container. The command cannot be killed from outside. A deadline or a cancellation ends
 * only the attempt, and the reason then says that the command may still be running. An unobserved end is Unknown.
 */
export async function runExec(
  handler: ExecHandler,
  request: AttemptRequest,
  { clock, exec }: ExecPlatform,
): Promise<AttemptResult> {
  const { namespace, pod } = handler;
  const tooLate = reachedLimit(request);
  if (tooLate !== null) return withheld(tooLate, describeStop(tooLate, request));
  if (exec === undefined) return withheld('Failed', 'has no cluster to run in: connect to one');
  if (namespace === undefined || pod === undefined) {
    return withheld('Failed', 'has no pod to run in: its namespace or its pod is not set');
  }
  const masker = makeMasker(request.secrets ?? [], request.lateSecrets);
  const output = captureOutput(masker, request.onOutput);
  const decoded = decodeInto(output);
  const startedMs = clock.monotonicMs();
  const result = await exec({
    namespace,
    pod,
    ...(handler.container === undefined ? {} : { container: handler.container }),
    command: handler.command,
    ...(request.timeoutMs === null ? {} : { timeoutMs: request.timeoutMs }),
    signal: request.signal,
    onOutput: decoded.add,
  });
  decoded.finish();
  return {
    outcome: outcomeOf(result),
    exitCode: result.outcome === 'exited' ? result.exitCode : null,
    signal: null,
    durationMs: clock.monotonicMs() - startedMs,
    ...output.finish(),
    reason: masker.text(`The command ${reasonOf(result, request)}.`),
  };
}

function withheld(outcome: AttemptResult['outcome'], why: string): AttemptResult {
  return bareResult(outcome, `The command ${why}. It was not started.`, 0);
}

/** Decodes bytes to text, and joins a character that is split between two pieces. */
function decodeInto(output: OutputCapture): {
  readonly add: (stream: StreamName, bytes: Uint8Array) => void;
  readonly finish: () => void;
} {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  return {
    add: (stream, bytes) => {
      output.add(stream, decoders[stream].decode(bytes, { stream: true }), bytes.length);
    },
    finish: () => {
      output.add('stdout', decoders.stdout.decode(), 0);
      output.add('stderr', decoders.stderr.decode(), 0);
    },
  };
}

function outcomeOf(result: ExecResult): AttemptResult['outcome'] {
  if (result.outcome === 'exited') return result.exitCode === 0 ? 'Succeeded' : 'Failed';
  if (result.outcome === 'failed') return 'Failed';
  if (result.cause === 'timedOut') return 'TimedOut';
  return result.cause === 'cancelled' ? 'Cancelled' : 'Unknown';
}

function reasonOf(result: ExecResult, request: AttemptRequest): string {
  switch (result.outcome) {
    case 'exited':
      return `exited with code ${result.exitCode}`;
    case 'failed':
      return `was not started: ${result.status.message ?? result.status.reason ?? 'no reason was given'}`;
    case 'unknown':
      return `${unknownReason(result, request)}; it may still be running in the container`;
    default:
      return result satisfies never;
  }
}

function unknownReason(
  { cause, reason }: Extract<ExecResult, { outcome: 'unknown' }>,
  request: AttemptRequest,
): string {
  if (cause === 'timedOut') return describeStop('TimedOut', request);
  if (cause === 'cancelled') return describeStop('Cancelled', request);
  return `ended with an unknown result: ${reason}`;
}
