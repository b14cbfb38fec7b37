/** The wait for a missing cut ends at its deadline (SNAP-CASE22, SNAP-R32), and not before (SNAP-CASE30). */
import { resourceName } from '../../../src/kube/object.ts';
import {
  type ApplicationSnapshot,
  applicationSnapshots,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import { type Court, isBeforeRestore, mayBeLate } from './judge.ts';

/** Cut deadline of a snapshot that sets none, in seconds. */
const DEFAULT_SECONDS = 60;
/** Milliseconds that the probes of the hooks may take after a cut just before the deadline. */
const ANSWERS_MS = 6_000;
const QUANTUM_MS = 2_000;

const NAME = resourceName(applicationSnapshots);

export class CutDeadlineJudge {
  readonly #court: Court;
  /** Simulated time at which the cut was requested, in milliseconds, keyed by the UID of the snapshot. */
  readonly #requestedMs = new Map<string, number>();
  readonly #over = new Set<string>();

  constructor(court: Court) {
    this.#court = court;
    court.api.onCommit(({ resource, type, object }) => {
      if (resource === NAME) this.#look(object as unknown as ApplicationSnapshot, type);
    });
  }

  #look(snapshot: ApplicationSnapshot, type: string): void {
    const { metadata, spec, status } = snapshot;
    const { uid = '', name = '' } = metadata ?? {};
    if (isGivenUp(snapshot)) this.#judgeEarly({ uid, name }, spec);
    if (type === 'Delete' || isOver(snapshot)) this.#over.add(uid);
    if (status?.cutRequestedAt === undefined || this.#requestedMs.has(uid)) return;
    this.#requestedMs.set(uid, this.#court.world.elapsedMs);
    this.#judgeLate({ uid, name }, spec);
  }

  #judgeLate({ uid, name }: { uid: string; name: string }, spec: Spec): void {
    const { world } = this.#court;
    const latestMs = deadlineMs(spec) + ANSWERS_MS + QUANTUM_MS;
    world.after(latestMs, () => {
      if (this.#over.has(uid) || this.#mayBeLate(uid)) return;
      const why = `neither cut nor failed ${latestMs} ms after its cut was requested`;
      world.violate('SNAP-CASE22', `snapshot ${name} is ${why}`);
    });
  }

  #judgeEarly({ uid, name }: { uid: string; name: string }, spec: Spec): void {
    const { world, troubles } = this.#court;
    const requestedMs = this.#requestedMs.get(uid);
    if (this.#over.has(uid) || requestedMs === undefined || troubles.has('clocks')) return;
    const afterMs = world.elapsedMs - requestedMs;
    if (afterMs >= deadlineMs(spec) - QUANTUM_MS || this.#mayBeLate(uid)) return;
    world.violate('SNAP-CASE30', `snapshot ${name} gives up its cut after ${afterMs} ms`);
  }

  #mayBeLate(uid: string): boolean {
    const requestedMs = this.#requestedMs.get(uid) ?? 0;
    return mayBeLate(this.#court, requestedMs) || isBeforeRestore(this.#court, requestedMs);
  }
}

type Spec = ApplicationSnapshot['spec'];

function deadlineMs({ cutDeadlineSeconds = DEFAULT_SECONDS }: Spec): number {
  return cutDeadlineSeconds * 1_000;
}

function isGivenUp({ status }: ApplicationSnapshot): boolean {
  return status?.failure?.reason === 'CutDeadlineExceeded';
}

/** True if the cut was observed, or if the snapshot no longer waits for it. */
function isOver({ metadata, status = {} }: ApplicationSnapshot): boolean {
  const { cutObservedAt, failure } = status;
  const isDecided = cutObservedAt !== undefined || failure !== undefined;
  return isDecided || metadata?.deletionTimestamp !== undefined;
}
