/**
 * A command that was killed leaves the runner of its hook. Whoever deletes the container ends that hook
 * first: no two hooks of one container run at once.
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
  // It ends the hook with everything that it has started, and is bounded itself.
  supervision.signalProcess(report.runner.pid, 'SIGTERM');
  await waitUntilGone(platform, report.runner);
}
