/** The plan of a guard for the claims of a scene, and of other clients' snapshots of these claims. */
import type { Random } from '../random.ts';
import { type HookPlan, throwHook } from './hook-plans.ts';
import type { PodPlan } from './sim-cluster.ts';
import type { StorageKind } from './sim-contents.ts';

export interface RequestPlan {
  readonly name: string;
  /** True if the object uses generateName, so that each try has another name. */
  readonly isGenerated: boolean;
  readonly isDryRun: boolean;
  readonly claims: readonly string[];
  readonly mode: 'Single' | 'Group';
  readonly storage: StorageKind;
  readonly atMs: number;
  /** True if the request is sent while another snapshot is being cut, whose window is about to close. */
  readonly isBelated: boolean;
  /** Maximum number of tries of the client. */
  readonly tries: number;
}

export interface GuardPlan {
  readonly name: string;
  readonly hooks: readonly HookPlan[];
  readonly claims: readonly string[];
  readonly onFreezeFailure: 'Refuse' | 'Allow';
  readonly freezeTimeoutSeconds: number;
  readonly holdOpenSeconds: number;
  readonly cutDeadlineSeconds: number | undefined;
  /** True if two processes serve the webhook. At most one of them leads. */
  readonly isTwofold: boolean;
  /** True if clients disconnect, and the API server refuses, delays or loses admitted requests. */
  readonly isDisturbed: boolean;
  /** hasty: clients disconnect when the freeze ends. tardy: the server stores most objects only after their windows. */
  readonly disturbance: 'hasty' | 'tardy' | 'mixed';
  readonly requests: readonly RequestPlan[];
}

/** Milliseconds within which all requests are sent. */
const REQUESTS_MS = 15_000;
/** Probability that a request after the first one is belated (`isBelated`). */
const BELATED = 0.4;
/** Probability that a snapshot is cut but never ready to use, if the storage is faulty. */
const NEVER_READY = 0.15;
/** Kinds of disturbance, one of which is selected at random. */
const DISTURBANCES = ['hasty', 'hasty', 'tardy', 'mixed'] as const;

interface GuardDice {
  readonly pods: readonly PodPlan[];
  /** True if the storage fails for ApplicationSnapshots too. */
  readonly faulty: boolean;
  /** True if most windows should reach their thaw. */
  readonly isPatient: boolean;
}

export function throwGuard(random: Random, dice: GuardDice): GuardPlan {
  const plan = throwAny(random, dice);
  if (!dice.isPatient) return plan;
  const own = random.fork('patient');
  const requests = plan.requests.map((request) => ({
    ...request,
    isDryRun: request.isDryRun && own.chance(0.3),
    tries: own.between(2, 4),
  }));
  const isDisturbed = plan.isDisturbed && own.chance(0.6);
  const holdOpenSeconds = own.pick([plan.holdOpenSeconds, 3]);
  return { ...plan, freezeTimeoutSeconds: 25, holdOpenSeconds, isDisturbed, requests };
}

function throwAny(random: Random, { pods, faulty }: GuardDice): GuardPlan {
  const claims = pods.flatMap((pod) => pod.claims);
  const count = random.between(1, 4);
  const isDisturbed = random.chance(0.7);
  // The storage may be late even in a seed without other faults.
  const isOdd = faulty || (isDisturbed && random.chance(0.5));
  return {
    name: 'g',
    claims,
    hooks: pods.map((pod, index) => throwHook(random, `g.${index}`, pod)),
    onFreezeFailure: random.pick(['Refuse', 'Refuse', 'Allow']),
    freezeTimeoutSeconds: random.pick([3, 10, 25]),
    holdOpenSeconds: random.pick([0, 0, 3]),
    cutDeadlineSeconds: random.pick([undefined, 5, 5, 20]),
    isTwofold: random.chance(0.5),
    isDisturbed,
    disturbance: random.fork('disturbance').pick(DISTURBANCES),
    requests: Array.from({ length: count }, (_, index) =>
      throwRequest(random, { index, claims, faulty: isOdd }),
    ),
  };
}

interface RequestDice {
  readonly index: number;
  readonly claims: readonly string[];
  readonly faulty: boolean;
}

function throwRequest(random: Random, { index, claims, faulty }: RequestDice): RequestPlan {
  const isGroup = claims.length > 1 && random.chance(0.25);
  const [first = ''] = claims;
  return {
    name: `r${index}`,
    isGenerated: random.chance(0.3),
    isDryRun: random.chance(0.15),
    claims: isGroup ? claims : [random.pick([first, ...claims])],
    mode: isGroup ? 'Group' : 'Single',
    storage: throwStorage(random, faulty),
    atMs: random.pick([1_000, random.between(0, REQUESTS_MS)]),
    isBelated: index > 0 && random.fork('belated').chance(BELATED),
    tries: random.between(1, 3),
  };
}

function throwStorage(random: Random, faulty: boolean): StorageKind {
  const kind = faulty
    ? random.pick([
        'usual',
        'usual',
        'late',
        'late',
        'silent',
        'failsFirst',
        'early',
        'lostContent',
      ] as const)
    : random.pick(['usual', 'usual', 'early'] as const);
  return faulty && random.fork('never ready').chance(NEVER_READY) ? 'neverReady' : kind;
}
