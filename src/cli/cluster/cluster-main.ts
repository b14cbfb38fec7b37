/** The program `cluster.cjs`: runs the local cluster, and reports its failures. */
import { reportFailure } from '../report-failure.ts';
import { serveCluster } from './serve-cluster.ts';
import type { UpOptions } from './up.ts';

/** Runs until a signal arrives; returns the exit code, and never rejects. */
export async function serve(folder: string, options: UpOptions): Promise<number> {
  try {
    return await serveCluster(folder, options);
  } catch (error) {
    return reportFailure(error);
  }
}
