/** Counts the targets that are frozen now, from the statuses on the server and those that the server rejects. */
import type { ControllerEvent } from '../../controller/controller-event.ts';
import { frozenTargets } from '../../lifecycles/snapshot/frozen-targets.ts';
import { overdueTargets } from '../../lifecycles/snapshot/hook/overdue.ts';
import type { ExecutionHook, ExecutionHookStatus } from '../../lifecycles/snapshot/kinds.ts';
import type { Clock } from '../../platform/platform.ts';
import type { ObservedEvent } from '../../observe/observed-event.ts';
import type { FrozenNow } from '../../observe/snapshot/snapshot-metrics.ts';

export class FrozenCounter {
  /** Keyed by the UID of the hook; only in the process that leads. */
  readonly #kept = new Map<string, ExecutionHookStatus>();

  readonly #clock: Pick<Clock, 'nowMs'>;

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock;
  }

  readonly observe = ({ lifecycle, detail }: ObservedEvent): void => {
    if (lifecycle !== 'snapshot' || detail.type !== 'StatusKept') return;
    if (detail.status === null) this.#kept.delete(detail.uid);
    else this.#kept.set(detail.uid, detail.status);
  };

  readonly observeController = ({ type }: ControllerEvent): void => {
    if (type === 'LeadershipLost') this.#kept.clear();
  };

  count(hooks: readonly ExecutionHook[]): FrozenNow {
    const nowMs = this.#clock.nowMs();
    const uids = new Set(hooks.map(({ metadata }) => metadata?.uid ?? ''));
    for (const uid of this.#kept.keys()) if (!uids.has(uid)) this.#kept.delete(uid);
    const known = hooks.map((hook) => {
      const kept = this.#kept.get(hook.metadata?.uid ?? '');
      return kept === undefined ? hook : { ...hook, status: kept };
    });
    const frozen = known.flatMap((hook) => frozenTargets(hook));
    return {
      frozen: frozen.length,
      unproven: frozen.filter(({ unproven }) => unproven).length,
      overdue: known.flatMap(({ status = {} }) => overdueTargets(status, nowMs)).length,
    };
  }
}
