/**
 * Records which hook has frozen which target. Two hooks must never freeze one target, because the first thaw would end
 * both freezes (SNAP-I9). It also records the nodes with a failed thaw, where nothing more is frozen (a circuit
 * breaker). And it records the volumes that may still be frozen although their pod was deleted.
 *
 * All records are derived from the statuses of hooks in the cache. For a hook that was reconciled in this term, its
 * last decision counts instead: the decision has intents that the cache does not have yet. This is sound because there
 * is one leader at a time. The hooks of one snapshot count as one holder: the second may freeze within the freeze of
 * the first, since they are thawed in reverse order (SNAP-G18).
 */
import type { Informer } from '../../../controller/informer.ts';
import { keyOf, parseKey } from '../../../controller/object-key.ts';
import type { Indexes } from '../../../controller/object-cache.ts';
import { applicationSnapshots, type ContainerStatus, type ExecutionHook } from '../kinds.ts';
import type { Blocked } from './facts.ts';
import { isHeld, isOverdue, isUnproven, targetId, targetsOf } from './targets.ts';

const HELD = 'heldTarget';
const OVERDUE = 'overdueNode';
const UNPROVEN = 'unprovenClaim';
const POD = 'heldPod';

/** The cache indexes by which the registry and the controller look up hooks. */
export const hookIndexes: Indexes<ExecutionHook> = {
  [HELD]: (hook) => heldIn(hook.metadata?.namespace ?? '', targetsOf(hook)),
  [OVERDUE]: (hook) => overdueIn(targetsOf(hook)),
  [UNPROVEN]: (hook) => unprovenIn(hook.metadata?.namespace ?? '', targetsOf(hook)),
  [POD]: (hook) => podsOf(hook),
};

/** The keys of the hooks that have a target in this pod, as far as the cache knows. */
export function hooksOfPod(hooks: Informer<ExecutionHook>, podKey: string): readonly string[] {
  return hooks.byIndex(POD, podKey).map(keyOf);
}

/** A hook that holds targets, or asks to hold them. */
export interface Holder {
  readonly key: string;
  readonly uid: string;
  /** The UID of the snapshot that created the hook, else the hook's own UID. */
  readonly for: string;
}

export function holderOf(key: string, hook: ExecutionHook): Holder {
  const { uid = '', ownerReferences = [] } = hook.metadata ?? {};
  const owner = ownerReferences.find(({ kind }) => kind === applicationSnapshots.kind);
  return { key, uid, for: owner?.uid ?? uid };
}

interface Entry {
  readonly name: string;
  readonly for: string;
  readonly held: ReadonlySet<string>;
  readonly overdue: ReadonlySet<string>;
  readonly unproven: ReadonlySet<string>;
}

/** The targets and claims that a hook wants to freeze. */
export interface Wanted {
  readonly targets: readonly ContainerStatus[];
  /** The claims that the target containers mount. */
  readonly claimNames: readonly string[];
}

export class HoldRegistry {
  readonly #hooks: Informer<ExecutionHook>;
  /**
   * Keyed by the UID of the hook. Hooks that hold nothing have an entry too, since the cache may still show old
   * holds.
   */
  readonly #entries = new Map<string, Entry>();
  /** The hooks that hold a target, by target. */
  readonly #holders = new Map<string, Set<string>>();
  /** The hooks with an overdue thaw on a node, by node. */
  readonly #overdue = new Map<string, Set<string>>();
  /** The hooks whose thaw of a claim's volume is not proven, by claim. */
  readonly #unproven = new Map<string, Set<string>>();
  /** Keys of the hooks that wait until this registry changes. */
  readonly #waiting = new Set<string>();

  constructor(hooks: Informer<ExecutionHook>) {
    this.#hooks = hooks;
  }

  /**
   * Why these targets may not be frozen now; null: they may. A blocked hook is woken when that may change.
   */
  blockOf(asking: Holder, { targets, claimNames }: Wanted): Blocked | null {
    const blocked =
      this.#unprovenOf(namespaceOf(asking.key), claimNames) ??
      this.#heldByAnother(asking, targets) ??
      this.#overdueOn(targets);
    if (blocked === null) this.#waiting.delete(asking.key);
    else this.#waiting.add(asking.key);
    return blocked;
  }

  /**
   * Replaces the holds of a hook. Add new holds before the write that records them; remove released holds after it.
   * Returns the keys of the waiting hooks to reconcile again.
   */
  update(
    holder: Holder,
    targets: readonly ContainerStatus[],
    overdue: readonly ContainerStatus[] = targets.filter(isOverdue),
  ): readonly string[] {
    const { key, uid } = holder;
    const before = this.#entries.get(uid);
    const entry: Entry = {
      name: key,
      for: holder.for,
      held: new Set(heldIn(namespaceOf(key), targets)),
      overdue: new Set(overdue.flatMap(({ nodeName }) => nodeName ?? [])),
      unproven: new Set(unprovenIn(namespaceOf(key), targets)),
    };
    this.#remove(uid);
    this.#add(uid, entry);
    // If the hook had no entry, other hooks may wait because of older holds that they saw in the cache.
    const freed =
      before === undefined ||
      lacks(entry.held, before.held) ||
      lacks(entry.overdue, before.overdue) ||
      lacks(entry.unproven, before.unproven);
    return freed ? this.#takeWaiting() : [];
  }

  /** Call when the hook is deleted. Returns the keys of the waiting hooks to reconcile again. */
  forget(key: string, uid: string): readonly string[] {
    this.#waiting.delete(key);
    this.#remove(uid);
    return this.#takeWaiting();
  }

  #heldByAnother(asking: Holder, targets: readonly ContainerStatus[]): Blocked | null {
    for (const target of targets) {
      const id = targetId(namespaceOf(asking.key), target);
      const known = [...(this.#holders.get(id) ?? [])].flatMap(
        (uid) => this.#entries.get(uid) ?? [],
      );
      const other = known.find((entry) => entry.for !== asking.for);
      const name = other?.name ?? this.#cachedAt(HELD, id, asking.for);
      if (name === null) continue;
      const { containerName, podName } = target;
      const message = `The container ${containerName} of pod ${podName} is frozen by the hook ${name}: waiting for its thaw.`;
      return { reason: 'WaitsForHold', message };
    }
    return null;
  }

  #overdueOn(targets: readonly ContainerStatus[]): Blocked | null {
    for (const { nodeName } of targets) {
      if (nodeName === undefined) continue;
      const name = this.#nameAt(this.#overdue, OVERDUE, nodeName);
      if (name === null) continue;
      const message = `A thaw of the hook ${name} is overdue on the node ${nodeName}: nothing more is frozen there until it succeeds or is marked as done by hand.`;
      return { reason: 'ThawOverdue', message };
    }
    return null;
  }

  #unprovenOf(namespace: string, claimNames: readonly string[]): Blocked | null {
    for (const claim of claimNames) {
      const name = this.#nameAt(this.#unproven, UNPROVEN, `${namespace}/${claim}`);
      if (name === null) continue;
      return { reason: 'ThawUnproven', message: unprovenText(claim, name) };
    }
    return null;
  }

  #nameAt(known: ReadonlyMap<string, Set<string>>, index: string, value: string): string | null {
    const [uid] = known.get(value) ?? [];
    return uid === undefined
      ? this.#cachedAt(index, value, '')
      : (this.#entries.get(uid)?.name ?? uid);
  }

  /** The key of a hook in the cache that was not reconciled in this term yet; null: none. */
  #cachedAt(index: string, value: string, askingFor: string): string | null {
    const found = this.#hooks.byIndex(index, value).find((hook) => {
      const holder = holderOf(keyOf(hook), hook);
      return holder.for !== askingFor && !this.#entries.has(holder.uid);
    });
    return found === undefined ? null : keyOf(found);
  }

  #add(uid: string, entry: Entry): void {
    this.#entries.set(uid, entry);
    for (const id of entry.held) addTo(this.#holders, id, uid);
    for (const node of entry.overdue) addTo(this.#overdue, node, uid);
    for (const claim of entry.unproven) addTo(this.#unproven, claim, uid);
  }

  #remove(uid: string): void {
    const entry = this.#entries.get(uid);
    if (entry === undefined) return;
    this.#entries.delete(uid);
    for (const id of entry.held) removeFrom(this.#holders, id, uid);
    for (const node of entry.overdue) removeFrom(this.#overdue, node, uid);
    for (const claim of entry.unproven) removeFrom(this.#unproven, claim, uid);
  }

  #takeWaiting(): readonly string[] {
    const keys = [...this.#waiting];
    this.#waiting.clear();
    return keys;
  }
}

/** True: the set lacks an entry that was there before. */
function lacks(now: ReadonlySet<string>, before: ReadonlySet<string>): boolean {
  return [...before].some((one) => !now.has(one));
}

/** The message about a thaw that is not proven. `hookKey`: key of the hook whose thaw is not proven. */
export function unprovenText(claim: string, hookKey: string): string {
  const { namespace = '', name } = parseKey(hookKey);
  const next = `thaw the volume by hand if it is frozen, then: lifehook snapshot release -n ${namespace} ${name} --by YOU`;
  return `The volume of claim ${claim} may still be frozen: the hook ${hookKey} froze it in a pod that is deleted, and no thaw is proven. No hook freezes it until the thaw is proven or marked as done by hand: ${next}.`;
}

function heldIn(namespace: string, targets: readonly ContainerStatus[]): string[] {
  return targets.filter(isHeld).map((target) => targetId(namespace, target));
}

function namespaceOf(key: string): string {
  return parseKey(key).namespace ?? '';
}

function overdueIn(targets: readonly ContainerStatus[]): string[] {
  return targets.filter(isOverdue).flatMap(({ nodeName }) => nodeName ?? []);
}

function unprovenIn(namespace: string, targets: readonly ContainerStatus[]): string[] {
  const claims = targets.filter(isUnproven).flatMap(({ claimNames = [] }) => claimNames);
  return claims.map((claim) => `${namespace}/${claim}`);
}

/** The pods whose changes matter to the hook: all its pods until the release, then the pods that may be frozen. */
function podsOf(hook: ExecutionHook): string[] {
  const namespace = hook.metadata?.namespace ?? '';
  const { release } = hook.status ?? {};
  const watched = targetsOf(hook).filter((target) => release === undefined || isHeld(target));
  return [...new Set(watched.map(({ podName }) => `${namespace}/${podName}`))];
}

function addTo(sets: Map<string, Set<string>>, name: string, uid: string): void {
  sets.set(name, (sets.get(name) ?? new Set()).add(uid));
}

function removeFrom(sets: Map<string, Set<string>>, name: string, uid: string): void {
  const set = sets.get(name);
  set?.delete(uid);
  if (set?.size === 0) sets.delete(name);
}
