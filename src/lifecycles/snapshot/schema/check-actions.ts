/**
 * The rules for the actions of a template or a hook (SNAP-R6, SNAP-R7, SNAP-R8, SNAP-G1, SNAP-G2, SNAP-G3, SNAP-G5,
 * SNAP-G16, SNAP-G27). The actions of a recipe are checked by the same rules.
 */
import { checkCommand } from '../../../controller/definitions/check-values.ts';
import {
  fieldOf,
  type FieldProblem,
  forbidden,
  invalid,
  required,
} from '../../../controller/definitions/field-problem.ts';
import type { HookActions } from '../kinds.ts';
import { judgeActions } from '../recipes/judge-actions.ts';
import { checkAction, handlersOf } from './check-action.ts';
import { checkRecipe, type ResolveRecipe } from './check-recipe.ts';

export interface CheckActionsInput {
  readonly actions: HookActions;
  /** The path of the actions: "spec" in a hook, '' in a template. */
  readonly field: string;
  readonly resolveRecipe: ResolveRecipe;
}

export function checkActions({ actions, field, resolveRecipe }: CheckActionsInput): FieldProblem[] {
  const { preAction, postAction, probe, recipe } = actions;
  const at = (name: string): string => fieldOf(field, name);
  const problems: FieldProblem[] = [];
  if (recipe !== undefined) problems.push(...checkRecipeAlone(actions, field));
  else if (preAction === undefined) {
    problems.push(
      required(at('preAction'), 'give the action that freezes, or name a recipe instead'),
    );
  }
  if (preAction !== undefined) problems.push(...checkAction(at('preAction'), preAction));
  if (postAction !== undefined) problems.push(...checkAction(at('postAction'), postAction));
  problems.push(...checkPair(actions, field));
  if (probe !== undefined) {
    problems.push(...checkCommand(at('probe.exec.command'), probe.exec.command));
  }
  problems.push(...checkLockScope(at('lockScope'), actions));
  problems.push(...checkRescue(at('rescue'), actions));
  problems.push(...checkExpiration(actions, field), ...judgeActions(actions, field));
  if (problems.length > 0 || recipe === undefined) return problems;
  return checkRecipe({ actions, recipe, field: at('recipe'), resolveRecipe });
}

/** A recipe defines its own freeze, thaw and probe, so these fields are refused together with it. */
function checkRecipeAlone(actions: HookActions, field: string): FieldProblem[] {
  const both = (['preAction', 'postAction', 'probe', 'lockScope', 'rescue'] as const).filter(
    (name) => actions[name] !== undefined,
  );
  return both.map((name) =>
    forbidden(
      fieldOf(field, name),
      'the recipe sets this itself: remove this field, or the recipe',
    ),
  );
}

function checkPair({ preAction, postAction }: HookActions, field: string): FieldProblem[] {
  if (postAction?.session !== undefined) {
    const detail = 'a session both freezes and thaws: move it to preAction';
    return [forbidden(fieldOf(field, 'postAction.session'), detail)];
  }
  if (preAction?.session === undefined || postAction === undefined) return [];
  const detail = 'the session of the preAction thaws by its own "thaw": move the command there';
  return [forbidden(fieldOf(field, 'postAction'), detail)];
}

/**
 * A lock that outlives its container needs a postAction, or a session of commands. The session of a client does not
 * fit: its lock ends when the client's process exits.
 */
function checkLockScope(
  field: string,
  { lockScope, preAction, postAction, recipe }: HookActions,
): FieldProblem[] {
  if (lockScope === undefined || recipe !== undefined) return [];
  if (lockScope !== 'Kernel' || postAction !== undefined) return [];
  const { session } = preAction ?? {};
  if (session !== undefined && session.client === undefined) return [];
  const detail =
    session === undefined
      ? 'only a thaw releases such a lock: add a postAction, or a session'
      : 'the lock of a client ends with its process: remove lockScope, or set it to Process';
  return [invalid(field, lockScope, detail)];
}

/** A rescue pod runs a command with the same volumes but without the application, so the thaw must be a command. */
function checkRescue(
  field: string,
  { rescue, lockScope, preAction = {}, postAction, recipe }: HookActions,
): FieldProblem[] {
  if (rescue === undefined || recipe !== undefined) return [];
  const { session } = preAction;
  const runsCommand =
    postAction === undefined
      ? session !== undefined && session.client === undefined
      : handlersOf(postAction).exec !== undefined;
  if (lockScope === 'Kernel' && runsCommand) return [];
  const detail =
    'a rescue needs lockScope Kernel, and a thaw by a postAction with exec or by a session without a client: add both, or remove rescue';
  return [forbidden(field, detail)];
}

/** SNAP-G2: the proposal has two spellings of this field, whose values must be equal. */
function checkExpiration(actions: HookActions, field: string): FieldProblem[] {
  const { expirationSeconds, expirationTimeSeconds } = actions;
  const both = expirationSeconds !== undefined && expirationTimeSeconds !== undefined;
  if (!both || expirationSeconds === expirationTimeSeconds) return [];
  const detail = `means the same as expirationSeconds, which is ${expirationSeconds}: remove it`;
  return [invalid(fieldOf(field, 'expirationTimeSeconds'), expirationTimeSeconds, detail)];
}
