/**
 * The spans of the objects of one kind, from its list and watch. If an object no longer reports a span, the span stays
 * as history. If an object was deleted while a span of it was open, the end of that span was not observed.
 */
import type { WatchEvent } from '../../kube/client.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Clock } from '../../platform/platform.ts';
import type { Bar } from '../bar.ts';
import type { BarStore } from '../bar-store.ts';

export interface ObjectBarsOptions<T extends KubeObject> {
  readonly store: Pick<BarStore, 'put' | 'get'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly barsOf: (object: T) => Bar[];
  /** Spans that are stored only if no span with the same id is known whose end was observed. */
  readonly keptBarsOf?: (object: T) => Bar[];
  /**
   * Ends a span that the object no longer reports; `now` are the spans that it reports now. Absent: the span stays
   * unchanged.
   */
  readonly succeeded?: (bar: Bar, now: readonly Bar[], object: T) => Bar;
}

export class ObjectBars<T extends KubeObject> {
  readonly #options: ObjectBarsOptions<T>;
  /** Ids of the open spans, by the uid of their object. */
  readonly #open = new Map<string, ReadonlySet<string>>();
  /** Uids that the running list has contained so far; null: no list is running. */
  #named: Set<string> | null = null;

  constructor(options: ObjectBarsOptions<T>) {
    this.#options = options;
  }

  apply(event: WatchEvent<T>): void {
    switch (event.type) {
      case 'Relisting':
        this.#named = new Set();
        return;
      case 'Upsert':
        this.#put(event.object);
        return;
      case 'Delete':
        this.#put(event.object);
        this.#close(uidOf(event.object));
        return;
      case 'Synced':
        for (const uid of this.#named === null ? [] : this.#open.keys()) {
          if (this.#named?.has(uid) === false) this.#close(uid);
        }
        this.#named = null;
        return;
      case 'Interrupted':
        return;
      default:
        event satisfies never;
    }
  }

  #put(object: T): void {
    const { store, barsOf } = this.#options;
    const uid = uidOf(object);
    this.#named?.add(uid);
    const bars = barsOf(object);
    this.#endWhatIsNotReported(this.#open.get(uid) ?? new Set(), bars, object);
    const open = bars.filter(({ endMs }) => endMs === null).map(({ id }) => id);
    if (open.length === 0) this.#open.delete(uid);
    else this.#open.set(uid, new Set(open));
    for (const bar of bars) store.put(bar);
    this.#putKept(object);
  }

  #putKept(object: T): void {
    const { store, keptBarsOf = () => [] } = this.#options;
    for (const bar of keptBarsOf(object)) {
      const known = store.get(bar.id);
      if (known === undefined || known.endMs === null || known.reason === DELETED) store.put(bar);
    }
  }

  #endWhatIsNotReported(open: ReadonlySet<string>, now: readonly Bar[], object: T): void {
    const { store, succeeded } = this.#options;
    const reported = new Set(now.map(({ id }) => id));
    for (const id of open) {
      const before = reported.has(id) ? undefined : store.get(id);
      if (before !== undefined && succeeded !== undefined) {
        store.put(succeeded(before, now, object));
      }
    }
  }

  #close(uid: string): void {
    const { store, clock } = this.#options;
    for (const id of this.#open.get(uid) ?? []) {
      const bar = store.get(id);
      if (bar === undefined || bar.endMs !== null) continue;
      const endMs = Math.max(bar.startMs, clock.nowMs());
      store.put({ ...bar, endMs, outcome: 'Unknown', reason: DELETED });
    }
    this.#open.delete(uid);
  }
}

const DELETED = 'Its object was deleted before it reported its end.';

function uidOf({ metadata = {} }: KubeObject): string {
  return metadata.uid ?? `${metadata.namespace}/${metadata.name}`;
}
