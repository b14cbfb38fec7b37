/** `lifehook snapshot release HOOK --by WHO`: a person takes the thaw on, and the hook's object can go (G15). */
import process from 'node:process';

import { frozenTargets } from '../../lifecycles/snapshot/frozen-targets.ts';
import { executionHooks } from '../../lifecycles/snapshot/kinds.ts';
import { TAKEN_ON } from '../../lifecycles/snapshot/names.ts';
import { LifehookError } from '../../model/problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { connectToKube, type KubeOptions } from '../kube-connection.ts';
import { readHook } from './thaw.ts';

export async function runSnapshotRelease(
  name: string,
  options: KubeOptions & { readonly by: string },
): Promise<number> {
  const cluster = await connectToKube(options, 'snapshot release');
  try {
    const { client, namespace } = cluster;
    const hook = await readHook(client, { namespace, name });
    const overdue = frozenTargets(hook).filter((target) => target.overdue || target.unproven);
    if (overdue.length === 0) throw nothingFailed(name);
    const body = { metadata: { annotations: { [TAKEN_ON]: options.by } } };
    await client.patch(executionHooks, { namespace, name }, { type: 'merge', body });
    for (const { pod, container } of overdue) {
      process.stdout.write(`${options.by} has taken on: thaw ${pod}, container ${container}.\n`);
    }
    return exitCodes.done;
  } finally {
    cluster.close();
  }
}

function nothingFailed(name: string): LifehookError {
  return new LifehookError({
    code: 'LHS406',
    severity: 'error',
    message: `No thaw of ExecutionHook "${name}" has failed: there is nothing to take on.`,
    next: `To thaw what it has frozen, use \`lifehook snapshot thaw ${name}\`.`,
  });
}
