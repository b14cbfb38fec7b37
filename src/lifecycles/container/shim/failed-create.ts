/**
 * After a failed create the container is destroyed and its poststop hooks run (runtime.md, lifecycle
 * steps 12 and 13). crun skips them, so they are run here: every one in config.json, in order,
 * each failure a warning.
 */
import { formatProblem } from '../../../model/problem.ts';
import type { ShimHost } from '../../../platform/shim-host.ts';
import { isObject } from '../config/config-text.ts';
import type { Injected } from './inject-hooks.ts';
import { runEntry } from './run-entry.ts';

export async function runPoststop(
  host: ShimHost,
  containerId: string,
  injected: Injected,
): Promise<void> {
  const { bundle, poststop } = injected;
  const state = JSON.stringify({
    ociVersion: bundle.config['ociVersion'],
    id: containerId,
    status: 'stopped',
    bundle: bundle.folder,
    annotations: bundle.config['annotations'],
  });
  for (const [index, hook] of poststop.entries()) {
    if (!isObject(hook)) continue;
    const result = await runEntry(host, hook, {
      runId: 'poststop',
      stdin: state,
      cwd: bundle.folder,
    });
    // The runner has reported its own failure on stderr.
    if (result.stderr.text !== '') host.print('stderr', result.stderr.text);
    if (result.outcome !== 'Succeeded') host.print('stderr', `${failure(index, result.reason)}\n`);
  }
}

function failure(index: number, reason: string): string {
  return formatProblem({
    code: 'LHC316',
    severity: 'warning',
    message: `The poststop hook with index ${index} failed after the create had failed: ${reason}`,
    next: 'Clean up by hand what it was to clean up.',
  });
}
