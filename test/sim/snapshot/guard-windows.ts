/** Records the windows of a guard on the server, and when they admitted and closed. */
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
  /** The previous version; null for the first version. */
  before: ApplicationSnapshot | null;
  isDeleted: boolean;
  /** Simulated time at which the window began to admit, in milliseconds; null until then. */
  frozenMs: number | null;
  /** Simulated time at which the window closed, failed or was deleted, in milliseconds; null while it is open. */
  closedMs: number | null;
  /** Simulated time of each admission in milliseconds, keyed by the UID of the object. */
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

  /** Windows that have ever admitted the object with this UID, including deleted windows. */
  with(uid: string): readonly WindowView[] {
    return [...this.all.values()].filter(({ admittedMs }) => admittedMs.has(uid));
  }

  /** The current entry of this UID in its window; undefined if no window has admitted it. */
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

  /** Stores the new version of a window; returns null if the object is not a window. */
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

/** True if the window admits no further object. */
export function isOver({ metadata, status = {} }: ApplicationSnapshot): boolean {
  const { closedAt, failure, cutObservedAt, completedAt } = status;
  const end = closedAt ?? failure ?? cutObservedAt ?? completedAt ?? metadata?.deletionTimestamp;
  return end !== undefined;
}
