/** What `cluster.cjs` holds: the local cluster, and how its failures are told. */
import { reportFailure } from '../report-failure.ts';
import { serveCluster } from './serve-cluster.ts';
import type { UpOptions } from './up.ts';

/** Until a signal ends it; returns the exit code, and never rejects. */
export async function serve(folder: string, options: UpOptions): Promise<number> {
  try {
    return await serveCluster(folder, options);
  } catch (error) {
    return reportFailure(error);
  }
}
