import { deploymentLifecycles } from '../../lifecycles/rollout/kinds.ts';
import { listIn, type Looking, type Looks } from '../completion/complete.ts';

export const looks: Looks = {
  lifecycles: deploymentNames,
  objects: async (looking) => (await deploymentNames(looking)).map((name) => `deployment/${name}`),
};

async function deploymentNames(looking: Looking): Promise<readonly string[]> {
  const items = await listIn(looking, deploymentLifecycles);
  return items.map(({ spec }) => spec.deploymentName);
}
