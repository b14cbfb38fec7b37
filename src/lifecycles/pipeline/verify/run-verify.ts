/**
 * Runs the verifications of all modules sequentially, each in its own pod, which is deleted afterwards. The first
 * failed verification ends the phase, and its exit code is that of the phase. The hooks around the phase are defined in
 * lifehook.yaml.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { ApiError, isReason, UnreachableError } from '../../../kube/api-error.ts';
import { podLogs } from '../../../kube/logs.ts';
import { pods } from '../../../kube/resources.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import { sleep } from '../../../platform/sleep.ts';
import type { VerifyConfig } from '../config/model.ts';
import {
  knownNamespaces,
  PROJECT_LABEL,
  recordedProject,
  recordVerifyPod,
} from '../deploy/inventory.ts';
import { judgePods } from '../deploy/judge-pods.ts';
import { refOf } from '../deploy/object-name.ts';
import { requireTarget } from '../deploy/run-deploy.ts';
import { reportRejection } from '../events/report-rejection.ts';
import { parseImageName } from '../hooks/image-name.ts';
import { CONTAINER_WAIT_MS } from '../hooks/run-context.ts';
import { interrupted, runStage } from '../hooks/run-stage.ts';
import { MANAGED_BY_LABEL, MANAGER, RUN_ID_LABEL } from '../render/put-labels.ts';
import type { BuiltArtifact, KubeTarget, PhaseResult, PipelineSession } from '../session.ts';
import { containerMasker } from '../values/session-values.ts';

const PAUSE_MS = 300;
const MS_PER_SECOND = 1_000;
const TIMED_OUT = 124;

export async function runVerify(
  session: PipelineSession,
  built: readonly BuiltArtifact[],
): Promise<PhaseResult<null>> {
  const tests = session.config.modules.flatMap(({ verify }) => verify);
  if (tests.length === 0) return { outcome: 'Succeeded', value: null };
  const target = requireTarget(session);
  warnOfLocal(session, tests);
  const namespaces = await knownNamespaces(session);
  const project = await recordedProject(session);
  const references = new Map(built.map(({ image, reference }) => [image, reference]));
  return runStage<null>(session, {
    hooks: session.config.ownHooks.verify,
    facts: () => ({
      phase: { kind: 'other' },
      containers: { namespaces, image: null, waitMs: CONTAINER_WAIT_MS },
    }),
    work: async () => {
      for (const [index, test] of tests.entries()) {
        const name = `verify-${index}-${session.runId}`;
        const { namespace } = target;
        const place = { name, namespace, project, runId: session.runId, references };
        const pod = verifyPod(test, place);
        const result = await verifyOne(test, pod, { session, target });
        if (result.outcome !== 'Succeeded') return result;
      }
      return { outcome: 'Succeeded', value: null };
    },
  });
}

/** Warns of verifications for a local container: they run in pods too, so that no container program is needed. */
function warnOfLocal({ hooks }: PipelineSession, tests: readonly VerifyConfig[]): void {
  const names = tests.filter(({ execution }) => execution === 'local').map(({ name }) => name);
  if (names.length === 0) return;
  const message = `All verifications run in pods of the cluster, also those for a local container: ${names.join(', ')}.`;
  hooks.emit({ type: 'Warning', code: 'LHL406', message });
}

interface Context {
  readonly session: PipelineSession;
  readonly target: KubeTarget;
}

async function verifyOne(
  test: VerifyConfig,
  pod: Pod,
  { session, target }: Context,
): Promise<PhaseResult<null>> {
  const { emit } = session.hooks;
  const event = { type: 'PhaseEvent', phase: 'verify', subject: test.name } as const;
  emit({ ...event, status: 'InProgress' });
  const result = await reportRejection(emit, event, () => inPod(test, pod, { session, target }));
  if (result.outcome === 'Succeeded') emit({ ...event, status: 'Succeeded' });
  else emit({ ...event, status: 'Failed', message: result.message });
  return result;
}

async function inPod(test: VerifyConfig, pod: Pod, context: Context): Promise<PhaseResult<null>> {
  const { client } = context.target;
  const { name = '', namespace = '' } = pod.metadata ?? {};
  const key = { name, namespace };
  await recordVerifyPod(context.session, refOf(pod), { isThere: true });
  let isCreated = false;
  let cause: unknown = null;
  try {
    await client.create(pods, pod);
    isCreated = true;
    const result = await untilEnd(test, key, context);
    await reportLogs(test, key, context);
    return result;
  } catch (error) {
    cause = error;
    return requestFailure(test, error, context.session.hooks.signal);
  } finally {
    // If nothing was sent, there is no pod: a deletion would wait for a hanging credential plugin too.
    const isAbsent = !isCreated && cause instanceof UnreachableError && !cause.sent;
    if (isAbsent || (await removePod(test, key, context)))
      await recordVerifyPod(context.session, refOf(pod), { isThere: false });
  }
}

/** An interruption also ends requests, which then have no answer. */
function requestFailure(
  test: VerifyConfig,
  error: unknown,
  signal: CancelSignal,
): PhaseResult<null> {
  if (!(error instanceof ApiError) && !(error instanceof UnreachableError)) throw error;
  if (error instanceof UnreachableError && signal.aborted) return interrupted;
  return ended(test, 1, `the cluster says: ${error.message}`);
}

interface Key {
  readonly name: string;
  readonly namespace: string;
}

async function untilEnd(
  test: VerifyConfig,
  key: Key,
  { session, target }: Context,
): Promise<PhaseResult<null>> {
  const { clock, timers } = session.platform;
  const { signal } = session.hooks;
  const { timeoutSeconds } = test;
  const endMs =
    timeoutSeconds === null ? Infinity : clock.monotonicMs() + timeoutSeconds * MS_PER_SECOND;
  for (;;) {
    const pod = await target.client.get(pods, key);
    const code = exitCodeIn(pod);
    if (code === 0) return { outcome: 'Succeeded', value: null };
    if (code !== null) return ended(test, code, `it exited with code ${code}`);
    const stuck = judgePods('Job', [pod], new Map()).find(({ kind }) => kind === 'certain');
    if (stuck !== undefined) return notStarted(test, stuck.why);
    if (signal.aborted) return interrupted;
    if (clock.monotonicMs() >= endMs) {
      return ended(test, TIMED_OUT, `it has not ended after ${timeoutSeconds ?? 0} s`);
    }
    await sleep(timers, PAUSE_MS, signal);
  }
}

/** Emits the log of the pod. An unavailable log is not a failure of the verification. */
async function reportLogs(
  test: VerifyConfig,
  key: Key,
  { session, target }: Context,
): Promise<void> {
  try {
    const { name: pod, namespace } = key;
    const container = test.container.name;
    const masker = await containerMasker(session.hooks, { namespace, pod, container });
    for await (const { text } of podLogs(target.connection, { pod, namespace })) {
      const line = masker.text(text);
      session.hooks.emit({ type: 'Output', source: test.name, stream: 'stdout', line });
    }
  } catch (error) {
    if (!(error instanceof ApiError) && !(error instanceof UnreachableError)) throw error;
  }
}

/** Returns false after a warning if the pod cannot be deleted, so that the result of the verification stays. */
async function removePod(
  { name: verification }: VerifyConfig,
  key: Key,
  { session, target }: Context,
): Promise<boolean> {
  try {
    await target.client.delete(pods, key, { gracePeriodSeconds: 0 });
    return true;
  } catch (error) {
    if (isReason(error, 'NotFound')) return true;
    if (!(error instanceof ApiError) && !(error instanceof UnreachableError)) throw error;
    const { name, namespace } = key;
    const message = `The pod ${namespace}/${name} of the verification ${verification} could not be deleted: ${error.message}. Next: Delete it with kubectl delete pod.`;
    session.hooks.emit({ type: 'Warning', code: 'LHL414', message });
    return false;
  }
}

function ended({ name }: VerifyConfig, exitCode: number, why: string): PhaseResult<never> {
  const message = `error LHL414: The verification ${name} failed: ${why}.\n  next: Correct the error that this message or the output above it names.`;
  return { outcome: 'Failed', exitCode, message };
}

function notStarted({ name }: VerifyConfig, why: string): PhaseResult<never> {
  const next = 'Correct its image or its container.';
  const message = `error LHL414: The verification ${name} failed: its container ${why}.\n  next: ${next}`;
  return { outcome: 'Failed', exitCode: FAILED, message };
}

export interface VerifyPlace {
  readonly name: string;
  readonly namespace: string;
  /** The value of the project's label, by which a deletion knows the pod. */
  readonly project: string;
  readonly runId: string;
  /** The reference of each built image, by its name without tag. */
  readonly references: ReadonlyMap<string, string>;
}

/**
 * The pod of one verification. Pure. The pod never restarts, so a failure is final. The reference of the current build
 * replaces the name of a built image.
 */
export function verifyPod({ container }: VerifyConfig, place: VerifyPlace): Pod {
  const { name, image, command, args, env } = container;
  const { references, runId, namespace, project } = place;
  const meant = image.includes('@') ? image : (references.get(parseImageName(image).repo) ?? image);
  const labels = {
    [MANAGED_BY_LABEL]: MANAGER,
    [RUN_ID_LABEL]: runId,
    [PROJECT_LABEL]: project,
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: place.name, namespace, labels },
    spec: {
      restartPolicy: 'Never',
      containers: [
        {
          name,
          image: meant,
          ...(command.length > 0 && { command: [...command] }),
          ...(args.length > 0 && { args: [...args] }),
          ...(env.length > 0 && { env: env.map((one) => ({ ...one })) }),
        },
      ],
    },
  };
}

/** The exit code of a pod's only container; null: it has not exited. */
function exitCodeIn({ status = {} }: Pod): number | null {
  const { phase, containerStatuses: [container] = [] } = status;
  if (phase === 'Succeeded') return 0;
  if (phase !== 'Failed') return null;
  const code = container?.state?.terminated?.exitCode ?? FAILED;
  return code === 0 ? FAILED : code;
}

const FAILED = 1;
