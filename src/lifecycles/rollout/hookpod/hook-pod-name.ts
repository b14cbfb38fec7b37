/** Names of hook pods. They follow from what a pod is for, so that one that was made is found again. */
import { sha256 } from '../../../platform/digests.ts';
import type { Stage } from '../kinds.ts';

/** A pod's name is its host name, and a label's value: at most so long. */
const NAME_CHARACTERS_MAX = 63;
const HASH_CHARACTERS = 10;

export interface HookPodFor {
  /** The Deployment's name. */
  readonly deployment: string;
  /** The Deployment's. */
  readonly uid: string;
  /** Of the rollout. */
  readonly number: number;
  readonly stage: Stage;
  /** From 1. */
  readonly attempt: number;
}

/** `web-12-pre-1-0a1b2c3d4e`; the digest tells Deployments apart whose names begin alike, or are the same again. */
export function hookPodName({ deployment, uid, number, stage, attempt }: HookPodFor): string {
  const rest = `${number}-${stage}-${attempt}`;
  return shortName(deployment, `${rest}-${digestOf(uid, rest)}`);
}

/** `web-12-pre-0a1b2c3d4e` */
export function hookRunName(run: Omit<HookPodFor, 'attempt'>): string {
  const { deployment, uid, number, stage } = run;
  const rest = `${number}-${stage}`;
  return shortName(deployment, `${rest}-${digestOf(uid, rest)}`);
}

/** The Deployment's name as a label can hold it. */
export function deploymentLabel(name: string): string {
  if (name.length <= NAME_CHARACTERS_MAX) return name;
  return shortName(name, digestOf(name, ''));
}

function digestOf(uid: string, rest: string): string {
  return sha256(`${uid}/${rest}`).slice(0, HASH_CHARACTERS);
}

/** Dots would be read as those of a domain. */
function shortName(name: string, rest: string): string {
  const start = name.replaceAll('.', '-').slice(0, NAME_CHARACTERS_MAX - rest.length - 1);
  return `${start.replace(/-+$/, '')}-${rest}`;
}
