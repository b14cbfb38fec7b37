/** The caches of the guard controller, and the windows of a guard. */
import { ownKey } from '../../../controller/indexes.ts';
import type { Informer } from '../../../controller/informer.ts';
import { keyText } from '../../../controller/object-key.ts';
import { type Source, watched } from '../../../controller/source.ts';
import type { SnapshotContext } from '../context.ts';
import {
  type SnapshotGuard,
  snapshotGuards,
  type ApplicationSnapshot,
  applicationSnapshots,
} from '../kinds.ts';
import { windowNumber } from './guard-window.ts';

export class GuardCaches {
  readonly guards: Informer<SnapshotGuard>;
  readonly #windows: Informer<ApplicationSnapshot>;

  constructor({ informers, scope }: Pick<SnapshotContext, 'informers' | 'scope'>) {
    this.guards = informers.of(snapshotGuards, { scope });
    this.#windows = informers.of(applicationSnapshots, { scope, indexes: { guard: byGuard } });
  }

  /** The windows of the guard with this key, oldest first. */
  windowsOf(key: string): readonly ApplicationSnapshot[] {
    return this.#windows
      .byIndex('guard', key)
      .toSorted((a, b) => windowNumber(a) - windowNumber(b));
  }

  /** The event sources of the controller; their keys are those of the guards. */
  sources(): readonly Source[] {
    return [
      watched({ informer: this.guards, keys: ownKey }),
      watched({ informer: this.#windows, keys: byGuard, when: ({ after }) => mayDisturb(after) }),
    ];
  }
}

/**
 * Whether a change of the window may start a reconcile of its guard. While the application is frozen, this process
 * spends its time only on the thaw.
 */
export function mayDisturb(window: ApplicationSnapshot | null): boolean {
  const { phase } = window?.status ?? {};
  return phase !== 'Freezing' && phase !== 'Cutting' && phase !== 'Thawing';
}

function byGuard({ metadata, spec }: ApplicationSnapshot): readonly string[] {
  const { guardName: name } = spec.window ?? {};
  return name === undefined ? [] : [keyText({ namespace: metadata?.namespace ?? '', name })];
}
