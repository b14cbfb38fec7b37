/** `delete`: deletes the deployed objects, with the cleanup hooks of lifehook.yaml around it. */
import { deleteObjects } from '../deploy/apply-objects.ts';
import { FoundKinds } from '../deploy/find-kinds.ts';
import {
  knownNamespaces,
  readInventory,
  scopesOfContext,
  union,
  writeInventory,
} from '../deploy/inventory.ts';
import { requireTarget } from '../deploy/run-deploy.ts';
import { runStage } from '../hooks/run-stage.ts';
import type { PhaseResult, PipelineSession } from '../session.ts';

export async function driveDelete(session: PipelineSession): Promise<PhaseResult<null>> {
  requireTarget(session);
  const namespaces = await knownNamespaces(session);
  return runStage<null>(session, {
    hooks: session.config.ownHooks.cleanup,
    // Containers exist only before the deletion, and nothing is worth waiting for after it.
    facts: () => ({
      phase: { kind: 'other' },
      ...(namespaces.length === 0 ? {} : { namespaces }),
      containers: { namespaces, image: null, waitMs: 0 },
    }),
    work: () => deleted(session),
  });
}

async function deleted(session: PipelineSession): Promise<PhaseResult<null>> {
  const { emit } = session.hooks;
  emit({ type: 'PhaseEvent', phase: 'cleanup', status: 'InProgress' });
  const result = await runDelete(session);
  const status = result.outcome === 'Succeeded' ? 'Succeeded' : 'Failed';
  emit({ type: 'PhaseEvent', phase: 'cleanup', status });
  return result;
}

/**
 * Deletes the objects that this project has deployed from this checkout, in any profile and namespace of this context:
 * those that are in the inventory and have the project's label.
 */
export async function runDelete(session: PipelineSession): Promise<PhaseResult<null>> {
  const target = requireTarget(session);
  const inventory = await readInventory(session);
  const { ours, others } = scopesOfContext(inventory, target.context);
  const refs = Object.values(ours).reduce((all, some) => union(all, some), []);
  const context = { session, target, kinds: new FoundKinds(target.client) };
  const result = await deleteObjects(refs, inventory.project, context);
  if (result.outcome !== 'Succeeded') return result;
  await writeInventory(session.platform, session.stateFolder, { ...inventory, scopes: others });
  return result;
}
