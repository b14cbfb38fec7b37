/**
 * Takes away what this project has deployed from here, in any profile and namespace of this context: what stands in
 * the inventory and has the project's label on it.
 */
import type { PhaseResult, PipelineSession } from '../session.ts';
import { deleteObjects } from './apply-objects.ts';
import { FoundKinds } from './find-kinds.ts';
import { readInventory, scopesOfContext, union, writeInventory } from './inventory.ts';
import { requireTarget } from './run-deploy.ts';

export async function runDelete(session: PipelineSession): Promise<PhaseResult<null>> {
  const target = requireTarget(session);
  const inventory = await readInventory(session);
  const { ours, others } = scopesOfContext(inventory, target.context);
  const refs = Object.values(ours).reduce((all, some) => union(all, some), []);
  const context = { session, target, kinds: new FoundKinds(target.client) };
  const deleted = await deleteObjects(refs, inventory.project, context);
  if (deleted.outcome !== 'Succeeded') return deleted;
  await writeInventory(session.platform, session.stateFolder, { ...inventory, scopes: others });
  return deleted;
}
