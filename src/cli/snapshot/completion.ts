import { snapshots } from '../../kube/snapshots.ts';
import {
  applicationSnapshots,
  executionHooks,
  executionHookTemplates,
} from '../../lifecycles/snapshot/kinds.ts';
import { type Looks, namesIn } from '../completion/complete.ts';

export const looks: Looks = {
  hooks: (looking) => namesIn(looking, executionHooks),
  objects: async (looking) =>
    (await namesIn(looking, applicationSnapshots)).map((name) => `applicationsnapshot/${name}`),
  recipes: async () => {
    const { recipes } = await import('../../lifecycles/snapshot/recipes/all-recipes.ts');
    return recipes.map(({ name }) => name);
  },
  snapshots: (looking) => namesIn(looking, applicationSnapshots),
  templates: (looking) => namesIn(looking, executionHookTemplates),
  'volume-snapshots': (looking) => namesIn(looking, snapshots),
};
