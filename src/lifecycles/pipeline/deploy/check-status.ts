/** Waits until everything that was deployed is ready, or one of it has failed, or the deadline is over. */
import { ApiError, UnreachableError } from '../../../kube/api-error.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import { sleep } from '../../../platform/sleep.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { DeployConfig } from '../config/model.ts';
import type { PhaseResult } from '../session.ts';
import { type ApplyContext, interrupted } from './apply-objects.ts';
import { judgeObject, type Judgement } from './judge-object.ts';
import { keyIn, type ObjectRef, refOf, titleOf } from './object-name.ts';

const PAUSE_MS = 500;
const MS_PER_SECOND = 1_000;

type Rules = Pick<DeployConfig, 'statusCheckDeadlineSeconds' | 'tolerateFailuresUntilDeadline'>;

/** Nobody's readiness is judged by what `apply` answered: the first look comes after it. */
export async function checkStatus(
  objects: readonly KubeObject[],
  rules: Rules,
  context: ApplyContext,
): Promise<PhaseResult<null>> {
  const { platform, hooks } = context.session;
  const endMs = platform.clock.monotonicMs() + rules.statusCheckDeadlineSeconds * MS_PER_SECOND;
  let open = objects.map(refOf).filter((ref) => isRun(ref, context));
  for (;;) {
    const judged = await Promise.all(open.map((ref) => judge(ref, context)));
    const left = judged.filter(({ judgement }) => judgement.kind !== 'ready');
    if (left.length === 0) return { outcome: 'Succeeded', value: null };
    const bad = left.filter(({ judgement }) => isOver(judgement, rules));
    if (bad.length > 0) return notReady(bad, 'failed');
    if (hooks.signal.aborted) return interrupted();
    if (platform.clock.monotonicMs() >= endMs) {
      return notReady(left, `are not ready after ${rules.statusCheckDeadlineSeconds} s`);
    }
    open = left.map(({ ref }) => ref);
    await sleep(platform.timers, PAUSE_MS, hooks.signal);
  }
}

/** On the local cluster nobody runs these kinds, so nobody waits for them. */
function isRun(ref: ObjectRef, { session, target }: ApplyContext): boolean {
  if (target.images === null || !ONLY_KEPT.has(ref.kind)) return true;
  const message = `${titleOf(ref)} is only kept by the local cluster: no pod of it runs.`;
  session.hooks.tell({ type: 'Warning', code: 'LHL418', message });
  return false;
}

const ONLY_KEPT = new Set(['StatefulSet', 'DaemonSet']);

interface Judged {
  readonly ref: ObjectRef;
  readonly judgement: Judgement;
}

/** A server that does not answer for a moment is no failure of what was deployed. */
async function judge(ref: ObjectRef, { target, kinds }: ApplyContext): Promise<Judged> {
  try {
    const resource = await kinds.find(ref.apiVersion, ref.kind);
    const found = resource === null ? null : await getOrNull(target.client, resource, keyIn(ref));
    if (found === null) return { ref, judgement: { kind: 'failed', why: 'it is gone' } };
    const object = { ...found, apiVersion: ref.apiVersion, kind: ref.kind };
    return { ref, judgement: judgeObject(object) };
  } catch (error) {
    if (!(error instanceof ApiError) && !(error instanceof UnreachableError)) throw error;
    return { ref, judgement: { kind: 'waiting', why: error.message } };
  }
}

function isOver({ kind }: Judgement, { tolerateFailuresUntilDeadline }: Rules): boolean {
  return !tolerateFailuresUntilDeadline && (kind === 'failed' || kind === 'failing');
}

function notReady(judged: readonly Judged[], how: string): PhaseResult<never> {
  const rows = judged.map(({ ref, judgement }) =>
    judgement.kind === 'ready' ? '' : `  ${titleOf(ref)}: ${judgement.why}`,
  );
  const message = [
    `error LHL412: The deployment is not ready: ${judged.length} of its objects ${how}.`,
    ...rows,
    '  next: See why with kubectl describe; deploy.statusCheckDeadlineSeconds gives more time.',
  ].join('\n');
  return { outcome: 'Failed', exitCode: 1, message };
}
