import type { SnapshotterContext } from '../snapshots/context.ts';

/**
 * The dependencies of every controller of the local cluster.
 *
 * Controllers use the API server like any other client. All their state can be read again from the API server.
 */
export interface ControllerContext extends SnapshotterContext {
  /** State directory of the cluster. Its subdirectory `volumes/` has the dynamically provisioned volumes. */
  readonly stateFolder: string;
  /** CA certificate of the API server in PEM, for the pods. Without it pods get none. */
  readonly authority?: string;
}
