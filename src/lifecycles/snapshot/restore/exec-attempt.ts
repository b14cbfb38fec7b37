/** Runs one attempt of a hook as a command in a running pod. Never rejects. */
import { type Act, bareResult } from '../../../engine/act.ts';
import { makeAttempt } from '../../../engine/make-attempt.ts';
import { runExec } from '../../../handlers/exec.ts';
import { pods } from '../../../kube/resources.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import { errorText } from '../../../platform/error-text.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import type { SnapshotContext } from '../context.ts';
import { watchExec } from '../exec-start.ts';
import type { AttemptReport } from '../hook/attempts.ts';
import { keptOutput } from '../hook/kept-output.ts';
import { maskSecretsOf } from '../hook/masked-result.ts';
import { OUTPUT_BYTES_MAX } from '../schema/limits.ts';
import { timeoutSecondsOf } from './hook-steps.ts';
import type { RestoreExec, RestoreHook, SnapshotRestore } from './kinds.ts';
import { isReady } from '../../../kube/pod-state.ts';
import { isTerminating } from '../../../controller/finalizers.ts';

/** Identifies an attempt that runs in this process. */
export function execId(
  { metadata }: SnapshotRestore,
  { name }: RestoreHook,
  attempt: number,
): string {
  return `${metadata?.uid ?? ''}/${name}/${attempt}`;
}

export interface ExecAttempt {
  readonly context: SnapshotContext;
  readonly restore: SnapshotRestore;
  readonly hook: RestoreHook;
  readonly attempt: number;
}

export async function runExecAttempt(
  of: ExecAttempt,
  signal: CancelSignal,
): Promise<AttemptReport> {
  const { context, restore, hook } = of;
  const { namespace = '' } = restore.metadata ?? {};
  const { exec } = hook;
  if (exec === undefined) return notStarted(context, 'The hook has no command.');
  let podName: string | null;
  try {
    podName = await choosePod(context, namespace, exec);
  } catch (error) {
    return notStarted(
      context,
      `The pods in namespace ${namespace} cannot be listed: ${errorText(error)}`,
    );
  }
  if (podName === null) {
    const labels = JSON.stringify(exec.podSelector?.matchLabels ?? {});
    return notStarted(context, `No ready pod in namespace ${namespace} has the labels ${labels}.`);
  }
  return run(of, exec, { pod: podName, signal });
}

async function run(
  { context, restore, hook, attempt }: ExecAttempt,
  exec: RestoreExec,
  { pod, signal }: { readonly pod: string; readonly signal: CancelSignal },
): Promise<AttemptReport> {
  const { platform, freezing: access } = context;
  const { namespace = '', uid = '' } = restore.metadata ?? {};
  const { containerName: container } = exec;
  const timeoutMs = timeoutSecondsOf(hook) * 1_000;
  const watched = watchExec(access.exec);
  const place = { namespace, pod, ...(container === undefined ? {} : { container }) };
  const handler = { kind: 'exec', command: exec.command, ...place } as const;
  const request = { runId: uid, step: hook.name, attempt, timeoutMs, signal };
  const key = { namespace, pod, container: container ?? '' };
  const mask = maskSecretsOf({ access, key, timeoutMs, timers: platform.timers });
  const world = { ...platform, exec: watched.exec };
  const act: Act = (asked) => runExec(handler, asked, world);
  const result = await mask(await makeAttempt({ act, request, platform }));
  const certain = watched.notStarted();
  return reportOf(context, result, certain === null ? {} : { notStarted: certain });
}

function notStarted(context: SnapshotContext, reason: string): AttemptReport {
  return reportOf(context, bareResult('Failed', reason, 0), { notStarted: 'Unreached' });
}

function reportOf(
  { platform }: SnapshotContext,
  { outcome, exitCode, reason, stdout, stderr }: AttemptResult,
  certain: Pick<AttemptReport, 'notStarted'>,
): AttemptReport {
  const text = [stdout.text, stderr.text].filter((each) => each !== '').join('\n');
  const totalBytes = stdout.totalBytes + stderr.totalBytes;
  const output = keptOutput(text, { totalBytes, bytesMax: OUTPUT_BYTES_MAX });
  return {
    endedAtMs: platform.clock.nowMs(),
    outcome,
    exitCode,
    reason,
    output,
    probes: [],
    ...certain,
  };
}

/** null: no pod that is ready has the labels. */
async function choosePod(
  { client }: SnapshotContext,
  namespace: string,
  { podName, podSelector }: RestoreExec,
): Promise<string | null> {
  if (podName !== undefined) return podName;
  const labelSelector = Object.entries(podSelector?.matchLabels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
  const { items } = await client.list(pods, { namespace, labelSelector });
  const names = items
    .filter((pod) => !isTerminating(pod) && isReady(pod))
    .map(({ metadata }) => metadata?.name ?? '');
  return names.toSorted()[0] ?? null;
}
