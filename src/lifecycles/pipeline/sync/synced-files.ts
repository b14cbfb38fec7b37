/**
 * Records which containers have which synced files. A container that has restarted, or was created later, has only the
 * files of its image. Pure.
 *
 * Worked example: files a and b were synced into container c1, c1 restarts, and file d is synced into it. Then `lost`
 * returns c1, since it lacks a and b.
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
  /** The absolute paths of all synced files. */
  readonly paths: ReadonlySet<string>;
  /** Containers that lack the files, as "namespace/pod/container". */
  readonly containers: readonly string[];
  /** Whether all these containers are ready. Until a container is ready, its own start may overwrite sent files. */
  readonly areReady: boolean;
}

interface Entry extends SyncedImage {
  readonly paths: ReadonlySet<string>;
  /** The container instances that have all of `paths`. */
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

  /** The synced files that running containers lack. `pods`: all current pods of the namespaces. */
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

  /** Forgets the synced files of an image. Call it when the files were sent again, or a build has them. */
  forget(image: string): void {
    this.#entries.delete(image);
  }

  clear(): void {
    this.#entries.clear();
  }
}
