/** `delete`: takes away what was deployed, with the cleanup hooks of lifehook.yaml around it. */
import { knownNamespaces } from '../deploy/inventory.ts';
import { runDelete } from '../deploy/run-delete.ts';
import { requireTarget } from '../deploy/run-deploy.ts';
import { runStage } from '../hooks/run-stage.ts';
import type { PhaseResult, PipelineSession } from '../session.ts';

export async function driveDelete(session: PipelineSession): Promise<PhaseResult<null>> {
  requireTarget(session);
  const namespaces = await knownNamespaces(session);
  return runStage<null>(session, {
    hooks: session.config.ownHooks.cleanup,
    // Containers are there before, and nothing is worth waiting for after.
    facts: () => ({
      phase: { kind: 'other' },
      ...(namespaces.length === 0 ? {} : { namespaces }),
      containers: { namespaces, image: null, waitMs: 0 },
    }),
    work: () => deleted(session),
  });
}

async function deleted(session: PipelineSession): Promise<PhaseResult<null>> {
  const { tell } = session.hooks;
  tell({ type: 'PhaseEvent', phase: 'cleanup', status: 'InProgress' });
  const result = await runDelete(session);
  const status = result.outcome === 'Succeeded' ? 'Succeeded' : 'Failed';
  tell({ type: 'PhaseEvent', phase: 'cleanup', status });
  return result;
}
