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
  /** The Deployment controller is behind, or away. */
  | 'cluster'
  /** Autoscalers and a GitOps writer that repeats its manifest. */
  | 'writers'
  /** Lifecycles that are deleted, replaced and created late while a template is held; namespaces that are deleted. */
  | 'deletions'
  /** A server that is put back to an older state. */
  | 'restores'
  /** Mutating webhooks of others: of Deployments and ReplicaSets. */
  | 'mutations'
  /** Of hook pods. */
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

/** They have dice of their own, so that a seed without them is what it was before they were there. */
const MORE: readonly [Trouble, ...Trouble[]] = [...SERVER_TROUBLES, 'restores'];

export function throwSome(seed: Seed): ReadonlySet<Trouble> {
  if (doDrainsLast(seed)) return new Set(['drains']);
  const random = seed.random.fork('troubles').fork('more');
  const more = throwMore(MORE, { ...seed, random });
  const moments = [...throwMoments(seed), ...throwMutations(seed)];
  const others = [...throwTroubles(TROUBLES, seed), ...more];
  const all = new Set<Trouble>([...(isAlone(seed, moments) ? [] : others), ...moments]);
  // Where no webhook answers the Deployment controller makes pods of what was scaled.
  if (all.has('webhook')) all.delete('bypasses');
  // The namespace controller deletes until it is empty, and would not stop at a restored one.
  if (all.has('restores')) all.delete('deletions');
  return all;
}

/** Of the seeds that concentrate on drains: nodes are lost in each, and nothing else keeps a controller from its deadline. */
const DRAINS_LAST = 0.5;

function doDrainsLast({ faults, random }: Seed): boolean {
  const isThrown = random.fork('drains last').chance(DRAINS_LAST);
  return faults.isSoughtIn('draining') && faults.of('drains last').decides(isThrown, null);
}

/** Of a wide seed. */
const HAS_MOMENTS = 0.25;
const ALONE = 0.6;

const MUTATIONS = ['mutations', 'podMutations'] as const;
/** Of a wide seed: each of them. */
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

/** What a controller owes within seconds is judged only where nothing else keeps it. */
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

/** A request may be on its way for long, or be lost. */
export function delaysRequests(troubles: ReadonlySet<Trouble>): boolean {
  return losesNotes(troubles) || troubles.has('webhooks');
}

/** Nothing keeps the controllers from pending work, nor moves the clock that deadlines are counted by. */
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

/** Where a leader may lose its Lease. */
export function hasReplicas(troubles: ReadonlySet<Trouble>): boolean {
  return troubles.has('replicas') || troubles.has('restores');
}
