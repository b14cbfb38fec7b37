/** The state of a development session between two iterations. */
import type { BuiltArtifact, Deployed } from '../session.ts';
import { SyncedFiles } from '../sync/synced-files.ts';
import { type GroupKey, type Snapshot, withFilesOf, withUnknown } from '../watch/snapshot.ts';

export class DevState {
  built: readonly BuiltArtifact[] = [];
  deployed: Deployed | null = null;
  /** Whether everything in the configuration is deployed: from then on only changes are processed. */
  isDeployed = false;
  /** Images whose containers have synced files that no build has. */
  readonly synced: Set<string> = new Set();
  /** The synced files, and the containers that have them. */
  readonly syncedFiles: SyncedFiles = new SyncedFiles();
  /** Images that the last iteration built, without those from the cache. */
  lastBuilt: ReadonlySet<string> = new Set();
  /** The content of each group when it was last processed: a difference from it is a pending change. */
  readonly #done = new Map<GroupKey, Snapshot>();

  done(key: GroupKey): Snapshot | null {
    return this.#done.get(key) ?? null;
  }

  finish(keys: Iterable<GroupKey>, snapshot: Snapshot): void {
    for (const key of keys) this.#done.set(key, snapshot);
  }

  /** Marks the current content of these files as processed. */
  absorb(paths: ReadonlySet<string>, now: Snapshot): void {
    const made = new Map<Snapshot, Snapshot>();
    for (const [key, snapshot] of this.#done) {
      const next = made.get(snapshot) ?? withFilesOf(snapshot, paths, now);
      made.set(snapshot, next);
      this.#done.set(key, next);
    }
  }

  /** Marks these files as pending whatever their content: it is unknown how far they were processed. */
  doubt(key: GroupKey, paths: ReadonlySet<string>, now: Snapshot): void {
    const snapshot = this.#done.get(key);
    if (snapshot !== undefined) this.#done.set(key, withUnknown(snapshot, paths, now));
  }

  /** Clears `synced`: the new pods have none of the synced files. */
  deployedAnew(deployed: Deployed): void {
    this.deployed = deployed;
    this.isDeployed = true;
    // A deployment deploys built images, and synced images are built before each deployment.
    this.synced.clear();
    this.syncedFiles.clear();
  }

  /** For another configuration nothing is known to be deployed; built images are found in the cache. */
  forget(): void {
    this.isDeployed = false;
    this.#done.clear();
  }
}
