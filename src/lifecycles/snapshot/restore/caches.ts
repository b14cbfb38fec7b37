/** The caches of the restore controller, and the lookup of a restore by its pods and claims. */
import type { PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1.js';

import { ownKey } from '../../../controller/indexes.ts';
import type { Informer } from '../../../controller/informer.ts';
import { keyText } from '../../../controller/object-key.ts';
import { OwnWrites } from '../../../controller/own-writes.ts';
import { type Source, watched } from '../../../controller/source.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { persistentVolumeClaims, pods } from '../../../kube/resources.ts';
import type { SnapshotContext } from '../context.ts';
import { RESTORE_POD_FINALIZER, RESTORED_BY, RESTORED_BY_NAME } from '../names.ts';
import { type SnapshotRestore, snapshotRestores } from './kinds.ts';

export class RestoreCaches {
  readonly restores: Informer<SnapshotRestore>;
  readonly written: OwnWrites<SnapshotRestore>;
  readonly #pods: Informer<Pod>;
  readonly #claims: Informer<PersistentVolumeClaim>;

  constructor({ informers, scope }: SnapshotContext) {
    const { namespace } = scope;
    this.restores = informers.of(snapshotRestores, { scope });
    this.written = new OwnWrites(this.restores);
    this.#claims = informers.of<PersistentVolumeClaim>(persistentVolumeClaims, { scope });
    this.#pods = informers.of<Pod>(pods, {
      scope: namespace === undefined ? {} : { namespace },
      indexes: { restore: restoreKey },
    });
  }

  /** The event sources of the controller; their keys are those of the restores. */
  sources(): readonly Source[] {
    return [
      watched({ informer: this.restores, keys: ownKey }),
      watched({ informer: this.#pods, keys: restoreKey }),
      watched({ informer: this.#claims, keys: restoreKey }),
    ];
  }

  /**
   * Pods with our finalizer that no restore will release: their restore was deleted, or replaced by another of its
   * name.
   */
  orphans(key: string, restore: SnapshotRestore | undefined): readonly Pod[] {
    return this.#pods
      .byIndex('restore', key)
      .filter(
        ({ metadata }) =>
          metadata?.finalizers?.includes(RESTORE_POD_FINALIZER) === true &&
          metadata.labels?.[RESTORED_BY] !== restore?.metadata?.uid,
      );
  }
}

function restoreKey({ metadata }: KubeObject): readonly string[] {
  const name = metadata?.annotations?.[RESTORED_BY_NAME];
  return name === undefined ? [] : [keyText({ namespace: metadata?.namespace ?? '', name })];
}
