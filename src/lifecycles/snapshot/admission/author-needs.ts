/** The permissions that the author of an object needs, because the controllers use them on the author's behalf. */
import type { AdmissionRequest } from '../../../controller/admission/admission-review.ts';
import type { Created } from '../../../controller/admission/author.ts';
import { sameJson } from '../../../controller/same-json.ts';
import { orNull } from '../../../kube/api-error.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { isObject } from '../../../kube/fields.ts';
import type { Json, JsonObject } from '../../../kube/object.ts';
import { GROUP } from '../../../model/api-version.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import {
  type ApplicationSnapshotSpec,
  type ExecutionHookSpec,
  executionHookTemplates,
  type HookActions,
} from '../kinds.ts';
import { needsOfRestore } from '../restore/author-needs.ts';
import { recipeParameters, type ResolveRecipe } from '../schema/check-recipe.ts';

export interface AuthorNeedsOptions {
  readonly client: Pick<KubeClient, 'get'>;
  readonly resolveRecipe: ResolveRecipe;
}

/** The permissions that the author of this write needs; empty: none. Rejects if a template cannot be read. */
export async function authorNeeds(
  request: AdmissionRequest,
  options: AuthorNeedsOptions,
  signal: CancelSignal,
): Promise<readonly Created[]> {
  const { kind, object, oldObject, subResource = '', namespace = '' } = request;
  const needs = kind.group === GROUP ? NEEDS[kind.kind] : undefined;
  if (needs === undefined || object === null || subResource !== '') return [];
  return needs({ object, before: oldObject ?? null }, { ...options, namespace, signal });
}

interface Written {
  readonly object: JsonObject;
  /** The object before an update; null: the request creates it. */
  readonly before: JsonObject | null;
}

type Needs = (
  written: Written,
  looking: Looking,
) => readonly Created[] | Promise<readonly Created[]>;

/** The needs by kind. The spec of a hook, a snapshot or a restore never changes, so only its creation is checked. */
const NEEDS: Readonly<Record<string, Needs>> = {
  ExecutionHookTemplate: ({ object, before }, looking) => {
    const actions = actionsIn(object);
    if (before !== null && sameJson(actionsIn(before), actions)) return [];
    return needsOf(hasRescue(actions, looking));
  },
  ExecutionHook: ({ object, before }, looking) =>
    before === null ? needsOfHooks([specIn(object)], looking) : [],
  ApplicationSnapshot: ({ object, before }, looking) =>
    before === null ? needsOfSnapshot(specIn(object), looking) : [],
  /** The author of a schedule lets the controllers run the hooks of every snapshot and rehearsal that it creates. */
  SnapshotSchedule: async ({ object, before }, looking) => {
    const isNew = (field: string): boolean =>
      before === null || !sameJson(fieldIn(before, field) ?? null, fieldIn(object, field) ?? null);
    const template = fieldIn(object, 'snapshotTemplate') ?? {};
    const rehearsal = fieldIn(object, 'rehearsal');
    const ofSnapshots = isNew('snapshotTemplate')
      ? await needsOfSnapshot(specIn(template), looking)
      : [];
    const ofRehearsals = rehearsal !== null && isNew('rehearsal') ? needsOfRestore(rehearsal) : [];
    return [...new Set([...ofSnapshots, ...ofRehearsals])];
  },
  SnapshotRestore: ({ object, before }) => (before === null ? needsOfRestore(specIn(object)) : []),
  // The windows of a guard run its hooks on the author's behalf (SNAP-W12).
  SnapshotGuard: ({ object, before }, looking) =>
    before !== null && sameJson(before['spec'] ?? null, object['spec'] ?? null)
      ? []
      : needsOfSnapshot(specIn(object), looking),
};

/** Milliseconds for the read of a template: a part of the time that an API server waits for a webhook. */
const TIMEOUT_MS = 1_000;

interface Looking extends AuthorNeedsOptions {
  readonly namespace: string;
  readonly signal: CancelSignal;
}

/**
 * What the author of a snapshot needs: for its hooks, and for a window of a guard. `executionHookInfos: []` means no
 * hooks. Without the field, the annotations of the claims may name hooks of any kind until the snapshot begins.
 */
async function needsOfSnapshot(
  { executionHookInfos: infos, window }: Partial<ApplicationSnapshotSpec>,
  looking: Looking,
): Promise<readonly Created[]> {
  const ofHooks = Array.isArray(infos) ? await needsOfHooks(infos, looking) : needsOf(true);
  // Only the webhook of the guards may create a window, so the author needs its permission (SNAP-W15).
  return (window ?? null) === null ? ofHooks : ['snapshotguards/status', ...ofHooks];
}

async function needsOfHooks(
  hooks: readonly WrittenHook[],
  looking: Looking,
): Promise<readonly Created[]> {
  if (hooks.length === 0) return [];
  // In parallel: the API server waits for this webhook, and there may be many templates.
  const all = await Promise.all(hooks.map((hook) => actionsOf(hook, looking)));
  return needsOf(all.some((actions) => hasRescue(actions, looking)));
}

/**
 * The objects that the author of a hook must be permitted to create. A rescue pod runs the thaw of the hook as its
 * command, so the author needs to create pods.
 */
function needsOf(isRescued: boolean): readonly Created[] {
  return isRescued ? ['pods/exec', 'pods'] : ['pods/exec'];
}

type WrittenHook = Pick<ExecutionHookSpec, 'executionHookTemplateName' | 'recipe' | 'rescue'>;

/**
 * The actions of the hook: its own, or those of its template. A template that does not exist yet has none: its author
 * is checked when it is created.
 */
async function actionsOf(hook: WrittenHook, looking: Looking): Promise<HookActions> {
  const { executionHookTemplateName: name } = hook;
  if (typeof name !== 'string' || name === '') return hook;
  const { client, namespace, signal } = looking;
  const call = { signal, timeoutMs: TIMEOUT_MS };
  const template = client.get(executionHookTemplates, { namespace, name }, call);
  return (await orNull(template, 'NotFound')) ?? {};
}

/** Whether the hook has a rescue pod, by itself or by its recipe. The rules refuse an unknown recipe. */
function hasRescue(
  { rescue, recipe }: Pick<HookActions, 'rescue' | 'recipe'>,
  { resolveRecipe }: AuthorNeedsOptions,
): boolean {
  if ((rescue ?? null) !== null) return true;
  const known = resolveRecipe(recipe?.name ?? '');
  if (known === undefined || known.refused !== undefined) return false;
  const parameters = recipeParameters(known, recipe?.parameters ?? {});
  return known.actions(parameters).rescue !== undefined;
}

/** The spec, whose shape was not checked yet. */
function specIn<T>(object: JsonObject): Partial<T> {
  const { spec } = object;
  return typeof spec === 'object' && spec !== null ? (spec as Partial<T>) : {};
}

/** An object in the spec of a schedule, whose shape was not checked yet. null: the field is not an object. */
function fieldIn(object: JsonObject, field: string): JsonObject | null {
  const value = specIn<Record<string, Json>>(object)[field];
  return isObject(value) ? value : null;
}

function actionsIn(template: JsonObject): HookActions {
  const entries = Object.entries(template).filter(([name]) => name !== 'metadata');
  return Object.fromEntries(entries);
}
