import { SERVER_TROUBLES, type ServerTrouble } from '../controller/server-troubles.ts';
import { type CommonTrouble, networkTrouble } from '../controller/troubles.ts';
import type { NetworkFaults } from '../controller/sim-client.ts';
import { MOMENT_TROUBLES, type MomentTrouble } from './moments.ts';
import { type Seed, throwMore, throwTroubles } from '../swarm.ts';

export type Trouble =
  | CommonTrouble
  | ServerTrouble
  /** Hooks that fail, hang, find no node or no image. */
  | 'hooks'
  /** Pods that are evicted, and nodes that are lost for a while. */
  | 'nodes'
  /** The gate's webhook does not answer. */
  | 'webhook'
  /** The Deployment controller is slow, or stopped. */
  | 'cluster'
  /** Autoscalers and a GitOps writer that repeats its manifest. */
  | 'writers'
  /** Lifecycles that are deleted, replaced and created late while a template is held; namespaces that are deleted. */
  | 'deletions'
  /** A server that is restored to an older state. */
  | 'restores'
  /** Foreign mutating webhooks of Deployments and ReplicaSets. */
  | 'mutations'
  /** Mutations of hook pods. */
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

/** They have separate dice, so that seeds without them do not change. */
const MORE: readonly [Trouble, ...Trouble[]] = [...SERVER_TROUBLES, 'restores'];

export function throwSome(seed: Seed): ReadonlySet<Trouble> {
  if (doDrainsLast(seed)) return new Set(['drains']);
  const random = seed.random.fork('troubles').fork('more');
  const more = throwMore(MORE, { ...seed, random });
  const moments = [...throwMoments(seed), ...throwMutations(seed)];
  const others = [...throwTroubles(TROUBLES, seed), ...more];
  const all = new Set<Trouble>([...(isAlone(seed, moments) ? [] : others), ...moments]);
  // While no webhook answers, the Deployment controller creates pods for a scaled Deployment.
  if (all.has('webhook')) all.delete('bypasses');
  // The namespace controller deletes until the namespace is empty, and would not stop for a restored one.
  if (all.has('restores')) all.delete('deletions');
  return all;
}

/**
 * Chance among the seeds that concentrate on drains: each loses nodes, and nothing else delays a controller's
 * deadline.
 */
const DRAINS_LAST = 0.5;

function doDrainsLast({ faults, random }: Seed): boolean {
  const isThrown = random.fork('drains last').chance(DRAINS_LAST);
  return faults.isSoughtIn('draining') && faults.of('drains last').decides(isThrown, null);
}

/** Chance in a wide seed. */
const HAS_MOMENTS = 0.25;
const ALONE = 0.6;

const MUTATIONS = ['mutations', 'podMutations'] as const;
/** Chance of each mutation in a wide seed. */
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

/** The duties of a controller within seconds are judged only if nothing else delays it. */
function isAlone({ faults, random }: Seed, moments: readonly Trouble[]): boolean {
  if (moments.length === 0 || faults.isFocusGiven) return false;
  return faults.of('alone').decides(random.fork('alone').chance(ALONE), null);
}

/** A process that dies, or gets no answer, does not report its last write. */
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

/** True: a request may be long in transit, or be lost. */
export function delaysRequests(troubles: ReadonlySet<Trouble>): boolean {
  return losesNotes(troubles) || troubles.has('webhooks');
}

/** Troubles that neither delay pending work of the controllers nor move the clock of deadlines. */
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
