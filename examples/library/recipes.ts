// Prints a recipe as an ExecutionHookTemplate, for programs that generate manifests.
import { LifehookError, listRecipes, recipeActions } from 'lifehook';

const names = listRecipes()
  .filter(({ tested, refused }) => tested && refused === undefined)
  .map(({ name }) => name);
process.stdout.write(`${names.includes('postgresql-checkpoint')}\n`);

const template = {
  apiVersion: 'lifehook.dev/v1alpha1',
  kind: 'ExecutionHookTemplate',
  metadata: { name: 'db' },
  ...recipeActions('redis-rdb'),
};
process.stdout.write(`${Object.keys(template).join(' ')}\n`);

try {
  recipeActions('oracle');
} catch (error) {
  if (error instanceof LifehookError) process.stdout.write(`${error.problems[0]?.code ?? ''}\n`);
}
