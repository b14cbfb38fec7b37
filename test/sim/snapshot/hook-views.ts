/** Records every version of each ExecutionHook on the server. */
import { isReason } from '../../../src/kube/api-error.ts';
import { resourceName } from '../../../src/kube/object.ts';
import {
  type HookAction,
  type ContainerStatus,
  type ExecutionHook,
  executionHooks,
} from '../../../src/lifecycles/snapshot/kinds.ts';
import { CUT_RELEASE, RELEASE } from '../../../src/lifecycles/snapshot/names.ts';
import type { Entry, SimApi, Stored } from '../controller/sim-api.ts';
import type { SimWrite } from '../controller/sim-client.ts';

export interface HookView {
  readonly name: string;
  readonly uid: string;
  hook: ExecutionHook;
  /** The previous version; null for the first version. */
  before: ExecutionHook | null;
  isDeleted: boolean;
  /** True if the server was restored to a state before the hook's creation or first freeze. */
  isForgotten: boolean;
  releasedMs: number | null;
  /** Simulated time at which a thaw was requested while everything was frozen, in milliseconds; null if none was. */
  calledMs: number | null;
  /** Simulated time at which the first freeze's record was sent, in milliseconds. The sender knew no later changes. */
  begunMs: number | null;
  /** Simulated time at which a thaw of the hook had first failed, in milliseconds; null if none has. */
  overdueMs: number | null;
  /** Names of processes whose last write of the status was refused or not answered. */
  readonly refused: Set<string>;
  /** Names of processes whose last write of the status met a conflict. */
  readonly outdated: Set<string>;
  /**
   * Processes that reported the hook's record as lost, each with the tag of the commands that it reported. An earlier
   * process may still write a record late.
   */
  readonly lost: Map<string, string>;
}

const HOOKS = resourceName(executionHooks);
const NEVER = { releasedMs: null, calledMs: null, begunMs: null, overdueMs: null };

export class HookViews {
  readonly all: Map<string, HookView> = new Map();
  readonly #listeners: ((view: HookView) => void)[] = [];
  readonly #nowMs: () => number;
  /** Simulated time at which the record of the first freeze was last sent, keyed by the UID of the hook. */
  readonly #askedMs = new Map<string, number>();

  constructor(api: SimApi, nowMs: () => number) {
    this.#nowMs = nowMs;
    api.onCommit((entry) => {
      if (entry.resource === HOOKS) this.#take(entry, nowMs());
    });
    api.onRestore(() => {
      this.#restoreOlder(api.peek(executionHooks), nowMs());
    });
  }

  /** Call when a controller sends a write. */
  sent({ host, resource, object }: SimWrite): void {
    if (resource !== HOOKS) return;
    const hook = object as ExecutionHook;
    const { uid = '' } = hook.metadata ?? {};
    const view = this.all.get(uid);
    if (view !== undefined && isLost(view, hook)) view.lost.set(host.name, tagOf(hook));
    const isNew = view?.begunMs === null;
    if (isNew && targetsIn(hook).some(isBegun)) this.#askedMs.set(uid, this.#nowMs());
  }

  /** Call when the process receives the answer to a write. A conflict is no refusal, since the write is retried. */
  answered({ host, verb, resource, object }: SimWrite, refusal: Error | null): void {
    if (resource !== HOOKS || verb !== 'status') return;
    const view = this.all.get(object.metadata?.uid ?? '');
    if (view === undefined) return;
    const isOutdated = refusal !== null && isReason(refusal, 'Conflict');
    put(view.outdated, host.name, isOutdated);
    if (refusal === null) view.refused.delete(host.name);
    else if (!isReason(refusal, 'Conflict', 'NotFound')) view.refused.add(host.name);
  }

  /** Call when a read got no answer. After a conflict, the process cannot retry its write without that read. */
  unread({ host, resource, object }: SimWrite): void {
    if (resource !== HOOKS) return;
    const view = this.ofName(object.metadata?.name ?? '');
    if (view?.outdated.has(host.name) === true) view.refused.add(host.name);
  }

  listen(listener: (view: HookView) => void): void {
    this.#listeners.push(listener);
  }

  /** The last hook whose commands have this tag. */
  ofTag(tag: string): HookView | undefined {
    return [...this.all.values()].findLast(({ hook }) => tagOf(hook) === tag);
  }

  /**
   * True if the last write of the status of a hook by this process was refused or not answered, and the process has
   * reported the record of that hook, which then had this tag, as lost.
   */
  isLostUnanswered(process: string, tag: string): boolean {
    return [...this.all.values()].some(
      ({ lost, refused }) => lost.get(process) === tag && refused.has(process),
    );
  }

  /**
   * Tag of the hook that has sent a command. All windows of a guard share commands, so the hook is the one that began
   * last in that container, preferably one that exists and has not thawed.
   */
  tagFor(
    words: string,
    { pod, container }: { readonly pod: string; readonly container: string },
  ): string {
    if (!isOfGuard(words)) return words;
    const same = [...this.all.values()].filter(({ hook }) => wordsOf(hook) === words);
    const begunIn = ({ hook }: HookView): ContainerStatus | undefined =>
      targetsIn(hook).find(
        (target) => target.podName === pod && target.containerName === container && isBegun(target),
      );
    const begun = same
      .filter((view) => begunIn(view) !== undefined)
      .toSorted((one, other) => (one.begunMs ?? 0) - (other.begunMs ?? 0));
    const alive = begun.filter(({ isDeleted }) => !isDeleted);
    const held = alive.findLast((view) => begunIn(view)?.thawedBy === undefined);
    // Another existing hook may have begun, although the server has refused its record.
    const isUnrecorded = [...this.all.values()].some(
      (view) =>
        !view.isDeleted && [words, ''].includes(wordsOf(view.hook)) && begunIn(view) === undefined,
    );
    const found = held ?? (isUnrecorded ? undefined : (alive.at(-1) ?? begun.at(-1)));
    return found === undefined ? words : tagOf(found.hook);
  }

  ofName(name: string): HookView | undefined {
    return [...this.all.values()].findLast((view) => view.name === name);
  }

  #restoreOlder(stored: readonly Stored[], nowMs: number): void {
    const found = new Map(stored.map((object) => [object.metadata.uid, object]));
    for (const [uid, view] of this.all) {
      const hook = found.get(uid) as unknown as ExecutionHook | undefined;
      const wasBegun = targetsIn(view.hook).some(isBegun);
      view.hook = hook ?? view.hook;
      view.isDeleted = hook === undefined;
      view.isForgotten = wasBegun && (view.isDeleted || !targetsIn(view.hook).some(isBegun));
      Object.assign(view, NEVER, { before: null });
      keepTimes(view, { nowMs, askedMs: nowMs });
    }
  }

  #take({ type, object }: Entry, nowMs: number): void {
    const { uid = '', name = '' } = object.metadata;
    const hook = object as unknown as ExecutionHook;
    const known = this.all.get(uid);
    const isDeleted = type === 'Delete';
    const refused = new Set<string>();
    const outdated = new Set<string>();
    const lost = new Map<string, string>();
    const isForgotten = false;
    const view: HookView = known ?? {
      ...NEVER,
      name,
      uid,
      hook,
      before: null,
      isDeleted,
      isForgotten,
      refused,
      outdated,
      lost,
    };
    if (known !== undefined) {
      view.before = known.hook;
      view.hook = hook;
      view.isDeleted = isDeleted;
    }
    keepTimes(view, { nowMs, askedMs: this.#askedMs.get(uid) ?? nowMs });
    this.all.set(uid, view);
    for (const listener of this.#listeners) listener(view);
  }
}

function put(names: Set<string>, name: string, isIn: boolean): void {
  if (isIn) names.add(name);
  else names.delete(name);
}

export function targetsIn({ status }: ExecutionHook): readonly ContainerStatus[] {
  return status?.containerExecutionHookStatuses ?? [];
}

/** Sets times that are not set yet, so that the first report counts. */
function keepTimes(
  view: HookView,
  { nowMs, askedMs }: { readonly nowMs: number; readonly askedMs: number },
): void {
  const { hook } = view;
  if (hook.status?.release !== undefined) view.releasedMs ??= nowMs;
  if (isCalled(hook)) view.calledMs ??= nowMs;
  if (targetsIn(hook).some(isBegun)) view.begunMs ??= askedMs;
  if (targetsIn(hook).some(isOverdue)) view.overdueMs ??= nowMs;
}

function isCalled({ metadata = {}, status }: ExecutionHook): boolean {
  if (status?.preActionSucceed !== true) return false;
  const { annotations = {}, deletionTimestamp } = metadata;
  const asked = annotations[RELEASE] ?? annotations[CUT_RELEASE] ?? deletionTimestamp;
  return asked !== undefined;
}

/** True if a controller reports the record of the hook as lost. `sent`: the object that it writes. */
function isLost({ hook }: HookView, sent: ExecutionHook): boolean {
  if (hook.status?.resolved !== undefined) return false;
  return sent.status?.conditions?.some(({ reason }) => reason === 'StatusLost') === true;
}

function isBegun({ preActionStatus }: ContainerStatus): boolean {
  return preActionStatus?.actionTimestamp !== undefined;
}

/** True if the thaw of the target has failed. A target whose state is unproven blocks only its volume, not its node. */
export function isOverdue(target: ContainerStatus): boolean {
  const { postActionStatus, thawedBy, thawUnproven } = target;
  const hasFailed = postActionStatus?.actionSucceed === false && thawedBy === undefined;
  return hasFailed && thawUnproven === undefined;
}

/** Tag of the hook's commands, with the UID for windows, which share their commands; '' if not known yet. */
export function tagOf(hook: ExecutionHook): string {
  const words = wordsOf(hook);
  return isOfGuard(words) ? `${words}#${hook.metadata?.uid ?? ''}` : words;
}

function isOfGuard(words: string): boolean {
  return words.startsWith('g.');
}

function wordsOf({ status, spec }: ExecutionHook): string {
  return tagOfAction(status?.resolved?.preAction ?? spec.preAction ?? {});
}

function tagOfAction({ exec, session }: HookAction): string {
  if (exec !== undefined) return exec.command[1] ?? '';
  if (session?.client !== undefined) return session.client[1] ?? '';
  return session?.freeze[1] ?? '';
}
