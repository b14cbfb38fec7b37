/**
 * Resolves the actions of a hook to one form: in one spelling (SNAP-G2, SNAP-G3), with defaults (SNAP-G5, SNAP-G16),
 * and with the actions of its recipe in place of the recipe.
 *
 * A hook stores the result before anything runs. After that, only the stored actions run (SNAP-G1, SNAP-I10).
 */
import { fieldOf, type FieldProblem } from '../../../controller/definitions/field-problem.ts';
import { judge } from '../../../controller/definitions/schema-problems.ts';
import type {
  HookAction,
  ResolvedAction,
  SessionAction,
  HookActions,
  ResolvedActions,
} from '../kinds.ts';
import { DEFAULT_ACTION_TIMEOUT_SECONDS, DEFAULT_WINDOW_SECONDS } from '../names.ts';
import { actionsSchema } from './action-schema.ts';
import { handlersOf } from './check-action.ts';
import { checkActions } from './check-actions.ts';
import { recipeParameters, type ResolveRecipe } from './check-recipe.ts';
import { DEFAULT_PROBE_TIMEOUT_SECONDS } from './limits.ts';

export interface ResolveActionsInput {
  readonly actions: HookActions;
  /** The origin of the actions, for messages: "template mysql", "the hook itself". */
  readonly origin: string;
  readonly resolveRecipe: ResolveRecipe;
  /** The path of the actions in their object, for messages: "spec"; default '', as in a template. */
  readonly field?: string;
}

export type ActionsResolution =
  | { readonly resolved: ResolvedActions }
  | { readonly problems: readonly FieldProblem[] };

export function resolveActions(input: ResolveActionsInput): ActionsResolution {
  const { actions, origin, resolveRecipe, field = '' } = input;
  const problems = problemsOf(input);
  if (problems.length > 0) return { problems };
  if (actions.recipe === undefined) return resolveWritten(actions, origin);
  const recipe = resolveRecipe(actions.recipe.name);
  if (recipe === undefined) return { problems };
  const made = recipe.actions(recipeParameters(recipe, actions.recipe.parameters ?? {}));
  const { probe, expirationSeconds, ...pair } = made;
  const written: HookActions = {
    lockScope: recipe.lockScope,
    ...pair,
    ...(actions.policy === undefined ? {} : { policy: actions.policy }),
    ...(probe === undefined ? {} : { probe: writtenProbe(probe) }),
    ...expirationOf(actions, expirationSeconds),
  };
  const wrong = problemsOf({ ...input, actions: written, field: fieldOf(field, 'recipe') });
  if (wrong.length > 0) return { problems: wrong };
  return resolveWritten(written, `recipe ${recipe.name}, named by ${origin}`);
}

function problemsOf({
  actions,
  resolveRecipe,
  field = '',
}: ResolveActionsInput): readonly FieldProblem[] {
  const check = (written: HookActions): FieldProblem[] =>
    checkActions({ actions: written, field, resolveRecipe });
  return judge(actionsSchema, { field, value: actions }, { check, warn: () => [] }).errors;
}

function resolveWritten(actions: HookActions, origin: string): ActionsResolution {
  const { policy = 'ExecuteAll', preAction = {}, postAction, probe } = actions;
  const { lockScope, rescue } = actions;
  const resolved: ResolvedActions = {
    policy,
    preAction: resolveAction(preAction),
    ...(postAction === undefined ? {} : { postAction: resolveAction(postAction) }),
    ...(probe === undefined ? {} : { probe: resolveProbe(probe) }),
    ...expirationOf(actions),
    ...(lockScope === undefined ? {} : { lockScope }),
    ...(rescue === undefined ? {} : { rescue }),
    origin,
  };
  return { resolved };
}

function resolveAction(action: HookAction): ResolvedAction {
  const { httpGet, session, ...plain } = handlersOf(action);
  const { actionTimeoutSeconds = DEFAULT_ACTION_TIMEOUT_SECONDS, idempotent } = action;
  return {
    ...plain,
    ...(httpGet === undefined ? {} : { httpGet: { path: '/', scheme: 'HTTP', ...httpGet } }),
    ...(session === undefined ? {} : { session: resolveSession(session) }),
    actionTimeoutSeconds,
    ...(idempotent === undefined ? {} : { idempotent }),
  };
}

function resolveSession(session: SessionAction): SessionAction {
  return { windowSeconds: DEFAULT_WINDOW_SECONDS, ...session };
}

type Probe = NonNullable<HookActions['probe']>;
type ResolvedProbe = NonNullable<ResolvedActions['probe']>;

function resolveProbe({ exec, timeoutSeconds }: Probe): ResolvedProbe {
  return {
    command: exec.command,
    timeoutSeconds: timeoutSeconds ?? DEFAULT_PROBE_TIMEOUT_SECONDS,
  };
}

function writtenProbe({ command, timeoutSeconds }: ResolvedProbe): Probe {
  return { exec: { command }, timeoutSeconds };
}

/** The expiry of a hook. The user's value takes precedence over the recipe's. */
function expirationOf(
  actions: HookActions,
  ofRecipe?: number,
): Pick<ResolvedActions, 'expirationSeconds'> {
  const seconds = actions.expirationSeconds ?? actions.expirationTimeSeconds ?? ofRecipe;
  return seconds === undefined ? {} : { expirationSeconds: seconds };
}
