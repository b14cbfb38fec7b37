import { neverCancelled } from '../../../engine/act.ts';
import { microTimeText } from '../../../controller/kube-time.ts';
import { runExec } from '../../../handlers/exec.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import type { ContainerAccess, SnapshotContext } from '../context.ts';
import type { ContainerStatus, ProbeStatus, ResolvedActions } from '../kinds.ts';

export interface Asking {
  readonly context: SnapshotContext;
  readonly access: ContainerAccess;
  readonly namespace: string;
  readonly hookName: string;
  readonly probe: NonNullable<ResolvedActions['probe']>;
  /** Milliseconds that are left; the probe's own timeout applies too. */
  readonly timeoutMs: number;
  readonly signal?: CancelSignal;
}

/**
 * Asks a target whether its freeze is in force: exit code 0 means yes, 1 means no, and anything else is no answer.
 * Never rejects.
 */
export async function askProbe(
  when: ProbeStatus['when'],
  { podName, containerName, podUID }: ContainerStatus,
  asking: Asking,
): Promise<ProbeStatus> {
  const {
    context,
    access,
    namespace,
    hookName,
    probe,
    timeoutMs,
    signal = neverCancelled,
  } = asking;
  const { clock } = context.platform;
  const limitMs = Math.min(timeoutMs, probe.timeoutSeconds * 1_000);
  const place = { namespace, pod: podName, container: containerName };
  const handler = { kind: 'exec', command: probe.command, ...place } as const;
  const request = { runId: podUID, step: 'probe', attempt: 1, timeoutMs: limitMs, signal };
  const target = { namespace, hook: hookName, pod: podName, container: containerName };
  context.observe({ type: 'AttemptStarted', target, action: 'probe' });
  const result = await runExec(handler, request, { clock, exec: access.exec });
  const { exitCode, reason, outcome: end, durationMs } = result;
  context.observe({ type: 'AttemptEnded', target, action: 'probe', outcome: end, durationMs });
  const outcome = answerOf(exitCode);
  return { when, at: microTimeText(clock.nowMs()), outcome, reason: `The probe: ${reason}` };
}

/** With any other code the probe failed to ask, for example because it was killed or not found. */
function answerOf(exitCode: number | null): ProbeStatus['outcome'] {
  if (exitCode === 0) return 'Frozen';
  return exitCode === 1 ? 'NotFrozen' : 'Unknown';
}
