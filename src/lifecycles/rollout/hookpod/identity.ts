/**
 * The identity in the labels of a hook pod or a HookRun, and the name of a hook pod. The name is derived from the
 * attempt, so that an existing pod is found again.
 */
import type { KubeObject } from '../../../kube/object.ts';
import type { Stage } from '../kinds.ts';
import { OF_ATTEMPT, OF_DEPLOYMENT, OF_DEPLOYMENT_UID, OF_ROLLOUT, OF_STAGE } from '../names.ts';
import { sha256 } from '../../../platform/digests.ts';

export type HookPodIdentity = Omit<HookPodFor, 'deployment'>;

/** The stages in the order of a rollout. Their positions are part of the fencing token. */
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

/** The label selector of the hook pods or the HookRuns of one Deployment. */
export function hookPodSelector(deploymentUID: string): string {
  return `${OF_DEPLOYMENT_UID}=${deploymentUID}`;
}

/** null: the object is no hook pod of Lifehook. */
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
 * The fencing token of an attempt. It grows with each attempt of a Deployment, so that the system to which a hook
 * writes can reject a late attempt.
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

/** Maximum length of a pod's name, because it is also a host name and a label's value. */
const NAME_CHARACTERS_MAX = 63;
const HASH_CHARACTERS = 10;

export interface HookPodFor {
  readonly deployment: string;
  readonly uid: string;
  readonly number: number;
  readonly stage: Stage;
  /** Starts at 1. */
  readonly attempt: number;
}

/**
 * The name of a hook pod. Example: `web-12-pre-1-0a1b2c3d4e`. The digest distinguishes Deployments with the same
 * prefix, and recreated Deployments.
 */
export function hookPodName({ deployment, uid, number, stage, attempt }: HookPodFor): string {
  const rest = `${number}-${stage}-${attempt}`;
  return shortName(deployment, `${rest}-${digestOf(uid, rest)}`);
}

/** The name of a HookRun. Example: `web-12-pre-0a1b2c3d4e` */
export function hookRunName(run: Omit<HookPodFor, 'attempt'>): string {
  const { deployment, uid, number, stage } = run;
  const rest = `${number}-${stage}`;
  return shortName(deployment, `${rest}-${digestOf(uid, rest)}`);
}

/** The Deployment's name, cut to the maximum length of a label's value. */
export function deploymentLabel(name: string): string {
  if (name.length <= NAME_CHARACTERS_MAX) return name;
  return shortName(name, digestOf(name, ''));
}

function digestOf(uid: string, rest: string): string {
  return sha256(`${uid}/${rest}`).slice(0, HASH_CHARACTERS);
}

/** Replaces dots, because in a host name they would separate domains. */
function shortName(name: string, rest: string): string {
  const start = name.replaceAll('.', '-').slice(0, NAME_CHARACTERS_MAX - rest.length - 1);
  return `${start.replace(/-+$/, '')}-${rest}`;
}
