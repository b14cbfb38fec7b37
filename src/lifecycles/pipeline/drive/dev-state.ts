/** What a development session knows between two iterations. */
import type { BuiltArtifact, Deployed } from '../session.ts';
import { SyncedFiles } from '../sync/synced-files.ts';
import { type GroupKey, type Snapshot, withFilesOf, withUnknown } from '../watch/snapshot.ts';

export class DevState {
  built: readonly BuiltArtifact[] = [];
  deployed: Deployed | null = null;
  /** Everything is deployed that the configuration says: from then on only what has changed is done. */
  isDeployed = false;
  /** Images whose containers hold files that no build has. */
  readonly synced: Set<string> = new Set();
  /** Which files those are, and who has them. */
  readonly syncedFiles: SyncedFiles = new SyncedFiles();
  /** Images that the last iteration has really built. */
  lastBuilt: ReadonlySet<string> = new Set();
  /** Of each group how it was when it last came to where it counts: what differs from that is still due. */
  readonly #done = new Map<GroupKey, Snapshot>();

  done(key: GroupKey): Snapshot | null {
    return this.#done.get(key) ?? null;
  }

  finish(keys: Iterable<GroupKey>, snapshot: Snapshot): void {
    for (const key of keys) this.#done.set(key, snapshot);
  }

  /** These files are, as they are now, part of what was done. */
  absorb(paths: ReadonlySet<string>, now: Snapshot): void {
    const made = new Map<Snapshot, Snapshot>();
    for (const [key, snapshot] of this.#done) {
      const next = made.get(snapshot) ?? withFilesOf(snapshot, paths, now);
      made.set(snapshot, next);
      this.#done.set(key, next);
    }
  }

  /** Nobody knows how far these have come: they are due whatever becomes of them. */
  doubt(key: GroupKey, paths: ReadonlySet<string>, now: Snapshot): void {
    const snapshot = this.#done.get(key);
    if (snapshot !== undefined) this.#done.set(key, withUnknown(snapshot, paths, now));
  }

  /** As `synced` says: nothing of it is left. */
  deployedAnew(deployed: Deployed): void {
    this.deployed = deployed;
    this.isDeployed = true;
    // Deployed is what was built: all of it, since synced images are built before each deployment.
    this.synced.clear();
    this.syncedFiles.clear();
  }

  /** Of another configuration nothing is known to be there; what is built is found in the cache. */
  forget(): void {
    this.isDeployed = false;
    this.#done.clear();
  }
}
