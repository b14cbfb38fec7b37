import { SERVER_TROUBLES, type ServerTrouble } from '../controller/server-troubles.ts';
import { type CommonTrouble, networkTrouble } from '../controller/troubles.ts';
import type { NetworkFaults } from '../controller/sim-client.ts';
import { MOMENT_TROUBLES, type MomentTrouble } from './moments.ts';
import { type Seed, throwMore, throwTroubles } from '../swarm.ts';

export type Trouble =
  | CommonTrouble
  | ServerTrouble
  /** Hooks fail, hang, or find no node or no image. */
  | 'hooks'
  /** Pods are evicted, and nodes are lost for a while. */
  | 'nodes'
  /** The webhook of the gate does not answer. */
  | 'webhook'
  /** The Deployment controller is slow or stopped. */
  | 'cluster'
  /** Autoscalers write, and a GitOps tool repeats its manifest. */
  | 'writers'
  /** Lifecycles are deleted, replaced, or created late while a template is held. Namespaces are deleted. */
  | 'deletions'
  /** The server is restored to an older state. */
  | 'restores'
  /** Foreign mutating webhooks change Deployments and ReplicaSets. */
  | 'mutations'
  /** Foreign mutating webhooks change hook pods. */
  | 'podMutations'
  | MomentTrouble;

const TROUBLES: readonly Trouble[] = [
  'network',
  'kills',
  'replicas',
  'hooks',
  'nodes',
  'webhook',
  'cluster',
  'users',
  'writers',
  'clocks',
  'deletions',
];

export const rolloutNetworkTrouble: NetworkFaults = { ...networkTrouble, answerLost: 0.03 };

/** These troubles use their own random numbers, so that seeds without them stay the same. */
const MORE: readonly [Trouble, ...Trouble[]] = [...SERVER_TROUBLES, 'restores'];

export function throwSome(seed: Seed): ReadonlySet<Trouble> {
  if (doDrainsLast(seed)) return new Set(['drains']);
  const random = seed.random.fork('troubles').fork('more');
  const more = throwMore(MORE, { ...seed, random });
  const moments = [...throwMoments(seed), ...throwMutations(seed)];
  const others = [...throwTroubles(TROUBLES, seed), ...more];
  const all = new Set<Trouble>([...(isAlone(seed, moments) ? [] : others), ...moments]);
  // While the webhook does not answer, the Deployment controller would create pods for a scaled Deployment.
  if (all.has('webhook')) all.delete('bypasses');
  // The namespace controller deletes objects until the namespace is empty. It would not stop for a restored namespace.
  if (all.has('restores')) all.delete('deletions');
  return all;
}

/**
 * Probability, in a seed that concentrates on drains, of no trouble except `drains`: nodes are lost, and nothing else
 * delays a deadline.
 */
const DRAINS_LAST = 0.5;

function doDrainsLast({ faults, random }: Seed): boolean {
  const isThrown = random.fork('drains last').chance(DRAINS_LAST);
  return faults.isSoughtIn('draining') && faults.of('drains last').decides(isThrown, null);
}

/** Probability that a wide seed (`Faults.isWide`) has troubles that wait for a certain moment. */
const HAS_MOMENTS = 0.25;
const ALONE = 0.6;

const MUTATIONS = ['mutations', 'podMutations'] as const;
/** Probability of each kind of mutation in a wide seed (`Faults.isWide`). */
const HAS_MUTATION = 0.2;

function throwMutations({ faults, random }: Seed): readonly Trouble[] {
  if (!faults.isWide) return [];
  const dice = random.fork('mutations');
  return MUTATIONS.filter((kind) => {
    const isThere = dice.chance(HAS_MUTATION) || (faults.isFocusGiven && dice.chance(0.5));
    return faults.of('trouble', kind).decides(isThere, null);
  });
}

function throwMoments({ faults, random }: Seed): readonly MomentTrouble[] {
  if (!faults.isWide) return [];
  const dice = random.fork('moments of trouble');
  const areThere = dice.chance(HAS_MOMENTS) || faults.isFocusGiven;
  const thrown = [dice.pick(MOMENT_TROUBLES), dice.pick(MOMENT_TROUBLES)];
  return MOMENT_TROUBLES.filter((kind) =>
    faults.of('trouble', kind).decides(areThere && thrown.includes(kind), null),
  );
}

/**
 * True if the seed has only troubles of moments. Only then it is judged whether controllers act within seconds, since
 * nothing else delays them.
 */
function isAlone({ faults, random }: Seed, moments: readonly Trouble[]): boolean {
  if (moments.length === 0 || faults.isFocusGiven) return false;
  return faults.of('alone').decides(random.fork('alone').chance(ALONE), null);
}

/** Troubles by which a process may die or lose an answer. It then reports no Event for its last write. */
const NOTE_LOSING: readonly Trouble[] = [
  'kills',
  'replicas',
  'network',
  'restores',
  'throttling',
  'partialNetwork',
];

export function losesNotes(troubles: ReadonlySet<Trouble>): boolean {
  return NOTE_LOSING.some((each) => troubles.has(each));
}

/** True if a request may be in transit for long, or be lost. */
export function delaysRequests(troubles: ReadonlySet<Trouble>): boolean {
  return losesNotes(troubles) || troubles.has('webhooks');
}

/** Troubles that delay no work of the controllers, and do not change the clock of deadlines. */
const UNFELT: readonly Trouble[] = [
  'hooks',
  'nodes',
  'cluster',
  'users',
  'writers',
  'deletions',
  'podMutations',
  ...MOMENT_TROUBLES,
];

export function areControllersFree(troubles: ReadonlySet<Trouble>): boolean {
  return [...troubles].every((each) => UNFELT.includes(each));
}

/** True if a leader may lose its Lease. */
export function hasReplicas(troubles: ReadonlySet<Trouble>): boolean {
  return troubles.has('replicas') || troubles.has('restores');
}
