/** The windows of a guard on the server, and when they admitted and closed. */
import { resourceName } from '../../../src/kube/object.ts';
import {
  type AdmittedObject,
  type ApplicationSnapshot,
  applicationSnapshots,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import type { Entry, SimApi, Stored } from '../controller/sim-api.ts';

export interface WindowView {
  readonly uid: string;
  readonly name: string;
  window: ApplicationSnapshot;
  /** null: this is the first. */
  before: ApplicationSnapshot | null;
  isDeleted: boolean;
  /** Time at which it began to admit; null: not yet. */
  frozenMs: number | null;
  /** Time at which it closed, failed or was deleted; null: it is open. */
  closedMs: number | null;
  /** Keyed by the UID of an admitted object. */
  readonly admittedMs: Map<string, number>;
}

const WINDOWS = resourceName(applicationSnapshots);

export class GuardWindows {
  readonly all: Map<string, WindowView> = new Map();
  readonly #nowMs: () => number;
  readonly #listeners: ((view: WindowView) => void)[] = [];

  constructor(api: SimApi, nowMs: () => number) {
    this.#nowMs = nowMs;
    api.onCommit((entry) => {
      this.#look(entry);
    });
    api.onRestore(() => {
      this.all.clear();
      for (const stored of api.peek(applicationSnapshots)) this.#keep(stored, 'Restore');
    });
  }

  listen(listener: (view: WindowView) => void): void {
    this.#listeners.push(listener);
  }

  /** Windows that have recorded this UID, including deleted ones. */
  with(uid: string): readonly WindowView[] {
    return [...this.all.values()].filter(({ admittedMs }) => admittedMs.has(uid));
  }

  /** The entry in its window now; undefined: no window has recorded it. */
  entryOf(uid: string): AdmittedObject | undefined {
    return this.with(uid)
      .flatMap(admittedIn)
      .find((entry) => entry.uid === uid);
  }

  #look({ resource, type, object }: Entry): void {
    if (resource !== WINDOWS) return;
    const view = this.#keep(object, type);
    if (view === null) return;
    for (const listener of this.#listeners) listener(view);
  }

  /** null: it is not a window. */
  #keep(object: Stored, type: Entry['type'] | 'Restore'): WindowView | null {
    const window = object as unknown as ApplicationSnapshot;
    if (window.spec.window === undefined) return null;
    const { uid = '', name = '' } = window.metadata ?? {};
    const known = this.all.get(uid);
    const view: WindowView = known ?? {
      uid,
      name,
      window,
      before: null,
      isDeleted: false,
      frozenMs: null,
      closedMs: null,
      admittedMs: new Map(),
    };
    if (known !== undefined) Object.assign(view, { before: known.window, window });
    view.isDeleted = type === 'Delete';
    this.all.set(uid, view);
    this.#keepTimes(view);
    return view;
  }

  #keepTimes(view: WindowView): void {
    const nowMs = this.#nowMs();
    const { window, admittedMs } = view;
    if (window.status?.cutRequestedAt !== undefined) view.frozenMs ??= nowMs;
    if (isOver(window)) view.closedMs ??= nowMs;
    for (const { uid } of admittedIn(view)) if (!admittedMs.has(uid)) admittedMs.set(uid, nowMs);
  }
}

export function admittedIn({ window }: Pick<WindowView, 'window'>): readonly AdmittedObject[] {
  return window.status?.admitted ?? [];
}

/** True if it admits nothing more. */
export function isOver({ metadata, status = {} }: ApplicationSnapshot): boolean {
  const { closedAt, failure, cutObservedAt, completedAt } = status;
  const end = closedAt ?? failure ?? cutObservedAt ?? completedAt ?? metadata?.deletionTimestamp;
  return end !== undefined;
}
