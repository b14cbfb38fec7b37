/** Names of hook pods. They are derived from the attempt, so that an existing pod is found again. */
import { sha256 } from '../../../platform/digests.ts';
import type { Stage } from '../kinds.ts';

/** A pod's name is also its host name and a label's value, which limits its length. */
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

/** `web-12-pre-1-0a1b2c3d4e`; the digest distinguishes Deployments with the same prefix, and recreated Deployments. */
export function hookPodName({ deployment, uid, number, stage, attempt }: HookPodFor): string {
  const rest = `${number}-${stage}-${attempt}`;
  return shortName(deployment, `${rest}-${digestOf(uid, rest)}`);
}

/** Example: `web-12-pre-0a1b2c3d4e` */
export function hookRunName(run: Omit<HookPodFor, 'attempt'>): string {
  const { deployment, uid, number, stage } = run;
  const rest = `${number}-${stage}`;
  return shortName(deployment, `${rest}-${digestOf(uid, rest)}`);
}

/** The Deployment's name, shortened to the length of a label's value. */
export function deploymentLabel(name: string): string {
  if (name.length <= NAME_CHARACTERS_MAX) return name;
  return shortName(name, digestOf(name, ''));
}

function digestOf(uid: string, rest: string): string {
  return sha256(`${uid}/${rest}`).slice(0, HASH_CHARACTERS);
}

/** Replaces dots, which would be read as those of a domain name. */
function shortName(name: string, rest: string): string {
  const start = name.replaceAll('.', '-').slice(0, NAME_CHARACTERS_MAX - rest.length - 1);
  return `${start.replace(/-+$/, '')}-${rest}`;
}
