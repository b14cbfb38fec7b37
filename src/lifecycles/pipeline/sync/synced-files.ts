/**
 * Records which containers have which synced files: one that has restarted, or was created since, has only those of the
 * image. Pure.
 *
 * Worked example: a and b were synced into c1, c1 restarts, and d is synced: c1 is lost, though it has d.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { selectContainers, targetName } from '../hooks/select-containers.ts';
import { type Instance, instancesOf, isReady } from './container-root.ts';

export interface SyncedImage {
  /** The artifact's name. */
  readonly image: string;
  /** The reference that the containers run. */
  readonly reference: string;
  readonly namespaces: readonly string[];
}

export interface LostFiles {
  readonly image: string;
  /** All synced files, absolute. */
  readonly paths: ReadonlySet<string>;
  /** Containers without them: "namespace/pod/container". */
  readonly containers: readonly string[];
  /** Whether all these containers are ready: until then their own start may overwrite sent files. */
  readonly areReady: boolean;
}

interface Entry extends SyncedImage {
  readonly paths: ReadonlySet<string>;
  /** Containers that have all of `paths`. */
  readonly holders: ReadonlySet<Instance>;
}

export class SyncedFiles {
  readonly #entries = new Map<string, Entry>();

  /** Records that these files are now in these containers. */
  add(synced: SyncedImage, paths: Iterable<string>, into: ReadonlySet<Instance>): void {
    const before = this.#entries.get(synced.image);
    const sent = new Set(paths);
    const old = before?.paths ?? new Set<string>();
    const isWhole = [...old].every((path) => sent.has(path));
    const holders = isWhole
      ? into
      : new Set([...into].filter((one) => before?.holders.has(one) === true));
    this.#entries.set(synced.image, { ...synced, paths: new Set([...old, ...sent]), holders });
  }

  /** `pods`: all current pods of the namespaces. */
  lost(pods: readonly Pod[]): readonly LostFiles[] {
    return [...this.#entries.values()].flatMap(
      ({ image, reference, namespaces, paths, holders }) => {
        const { running } = selectContainers({ action: {}, namespaces, image: reference }, pods);
        const lacking = [...instancesOf(running, pods)].filter(([, one]) => !holders.has(one));
        if (lacking.length === 0) return [];
        const containers = lacking.map(([target]) => targetName(target));
        const areReady = lacking.every(([target]) => isReady(target, pods));
        return [{ image, paths, containers, areReady }];
      },
    );
  }

  /** Call when the files were sent again or built. */
  forget(image: string): void {
    this.#entries.delete(image);
  }

  clear(): void {
    this.#entries.clear();
  }
}
