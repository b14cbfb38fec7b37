import type { Recipe } from './recipe.ts';

/** Applications whose files must never be copied: listed to say why. */
export const refusedRecipes: readonly Recipe[] = [
  refuse('elasticsearch', 'Elasticsearch'),
  refuse('opensearch', 'OpenSearch'),
];

function refuse(name: string, application: string): Recipe {
  const reason = `copies of the data files of ${application} are not supported by its vendor, frozen or not, and may lose data silently`;
  return {
    name,
    application,
    summary: 'Refused: there is no safe copy of its files.',
    refused: `${reason}: use its own snapshot API, in an exec action`,
    lockClass: 'none',
    lockScope: 'Process',
    tested: false,
    parameters: [],
    needs: { programs: [], privileges: [] },
    maxFreezeSeconds: null,
    exitCodes: {},
    priorState: null,
    actions: () => ({ preAction: {} }),
  };
}
