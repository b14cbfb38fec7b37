/** The identity of a hook pod or a HookRun, stored in its labels. */
import type { KubeObject } from '../../../kube/object.ts';
import type { Stage } from '../kinds.ts';
import { OF_ATTEMPT, OF_DEPLOYMENT, OF_DEPLOYMENT_UID, OF_ROLLOUT, OF_STAGE } from '../names.ts';
import { deploymentLabel, type HookPodFor } from './hook-pod-name.ts';

export type HookPodIdentity = Omit<HookPodFor, 'deployment'>;

/** Their order in a rollout; the fencing token uses it. */
const STAGES: readonly Stage[] = ['pre', 'mid', 'post'];

export function runLabels(run: Omit<HookPodFor, 'attempt'>): Record<string, string> {
  return {
    [OF_DEPLOYMENT]: deploymentLabel(run.deployment),
    [OF_DEPLOYMENT_UID]: run.uid,
    [OF_ROLLOUT]: String(run.number),
    [OF_STAGE]: run.stage,
  };
}

export function hookPodLabels(pod: HookPodFor): Record<string, string> {
  return { ...runLabels(pod), [OF_ATTEMPT]: String(pod.attempt) };
}

/** Selects the hook pods, or the HookRuns, of one Deployment. */
export function hookPodSelector(deploymentUID: string): string {
  return `${OF_DEPLOYMENT_UID}=${deploymentUID}`;
}

/** null: it is no hook pod of ours. */
export function identityOf({ metadata }: KubeObject): HookPodIdentity | null {
  const labels = metadata?.labels ?? {};
  const uid = labels[OF_DEPLOYMENT_UID] ?? '';
  const number = Number(labels[OF_ROLLOUT]);
  const attempt = Number(labels[OF_ATTEMPT]);
  const stage = STAGES.find((each) => each === labels[OF_STAGE]);
  if (uid === '' || stage === undefined) return null;
  if (!Number.isSafeInteger(number) || !Number.isSafeInteger(attempt)) return null;
  return { uid, number, stage, attempt };
}

export function isSameIdentity(one: HookPodIdentity | null, other: HookPodIdentity): boolean {
  if (one === null) return false;
  const { uid, number, stage, attempt } = other;
  return one.uid === uid && one.number === number && one.stage === stage && one.attempt === attempt;
}

/**
 * Grows over all attempts of a Deployment, so that the system a hook writes to can refuse a late attempt.
 *
 * Worked example, rollout 12, mid, attempt 3: 12 100 003.
 */
export function fencingToken({
  number,
  stage,
  attempt,
}: Pick<HookPodFor, 'number' | 'stage' | 'attempt'>): number {
  return number * 1_000_000 + STAGES.indexOf(stage) * 100_000 + attempt;
}
