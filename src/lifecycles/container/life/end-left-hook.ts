/**
 * Ends the hook of a killed command, whose runner is still running. A delete does this
 * first: no two hooks of one container run in parallel.
 */
import { procTable } from '../../../store/process-table.ts';
import { readReport } from '../hook-runs/hook-order.ts';
import { hookRunnerOf, type Life } from './life.ts';
import { waitUntilGone } from './process-end.ts';

export async function endLeftHook(life: Life, ledgerFolder: string): Promise<void> {
  const { platform, supervision } = life;
  const place = hookRunnerOf(life, ledgerFolder);
  if (place === undefined) return;
  const report = await readReport(platform.files, place.endFile);
  if (report?.kind !== 'running') return;
  if (!(await procTable(platform.files).isAlive(report.runner))) return;
  // The runner kills the hook with all processes that it has started, within a bounded time.
  supervision.signalProcess(report.runner.pid, 'SIGTERM');
  await waitUntilGone(platform, report.runner);
}
