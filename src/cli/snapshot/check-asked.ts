/** Finds names in a snapshot request that do not resolve, before anything is created or frozen. */
import { type AskedHooks, readAskedHooks } from '../../lifecycles/snapshot/asked-hooks.ts';
import type { ApplicationSnapshot } from '../../lifecycles/snapshot/kinds.ts';
import { nearestWord } from '../../model/nearest-word.ts';
import { LifehookError, type Problem } from '../../model/problem.ts';
import type { CliCluster } from '../kube-connection.ts';
import { findRecipe } from './recipes/resolve-recipe.ts';
import { reportProblems } from '../report-problems.ts';

/** null: the hooks cannot be resolved; the reason was printed. */
export async function askedHooksOf(
  { client, namespace }: CliCluster,
  snapshot: ApplicationSnapshot,
): Promise<AskedHooks | null> {
  const asked = await readAskedHooks(client, snapshot);
  const problems = problemsOf(asked, namespace);
  reportProblems(problems);
  return problems.length === 0 ? asked : null;
}

/**
 * One problem for each recipe, template and annotation that does not resolve. Empty: all exist, as far as the user may
 * read them.
 */
export function problemsOf(asked: AskedHooks, namespace: string): readonly Problem[] {
  return [
    ...asked.infos.flatMap(({ recipe }) => (recipe === undefined ? [] : noRecipe(recipe.name))),
    ...asked.missingTemplates.map((name) => noTemplate(name, asked, namespace)),
    ...asked.wrongAnnotations.map(wrongAnnotation),
  ];
}

function noRecipe(name: string): readonly Problem[] {
  try {
    findRecipe(name);
    return [];
  } catch (error) {
    if (error instanceof LifehookError) return error.problems;
    throw error;
  }
}

/** Maximum number of names that a message lists. */
const NAMED_MAX = 5;

function noTemplate(name: string, { knownTemplates }: AskedHooks, namespace: string): Problem {
  const meant = nearestWord(name, knownTemplates);
  return {
    code: 'LHS408',
    severity: 'error',
    message: `There is no ExecutionHookTemplate "${name}" in namespace ${namespace}.`,
    next: meant === null ? listed(knownTemplates) : `Did you mean "${meant}"?`,
  };
}

function listed(known: readonly string[]): string {
  if (known.length === 0) return 'Create it: the namespace has none.';
  const named = known.slice(0, NAMED_MAX).join(', ');
  const more = known.length > NAMED_MAX ? `, and ${known.length - NAMED_MAX} more` : '';
  return `Create it, or name one that exists: ${named}${more}.`;
}

function wrongAnnotation(message: string): Problem {
  return {
    code: 'LHS409',
    severity: 'error',
    message: `${message}.`,
    next: 'Correct the annotation of the claim, or give --template or --recipe.',
  };
}
