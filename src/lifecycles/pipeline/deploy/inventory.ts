/**
 * Stores in `.lifehook/deployed.json` which objects this project has deployed from this checkout. Only objects that are
 * in this file and have the project's label may be pruned or deleted. The project is named by a UUID that is created
 * once; a fresh checkout has another UUID and prunes nothing.
 */
import { isObject } from '../../../kube/fields.ts';
import { LifehookError } from '../../../model/problem.ts';
import { errorText } from '../../../platform/error-text.ts';
import { unlessMissing } from '../../../platform/posix-error.ts';
import type { PipelineSession } from '../session.ts';
import { withStateLock } from '../state-lock.ts';
import { keyOf, type ObjectRef } from './object-name.ts';

/** The label's value is the project's UUID. */
export const PROJECT_LABEL = 'lifehook.dev/pipeline';

export interface Inventory {
  readonly project: string;
  /** Keyed by scope: see `scopeOf`. */
  readonly scopes: Readonly<Record<string, readonly ObjectRef[]>>;
}

const FILE = 'deployed.json';
const FOLDER_MODE = 0o755;
const FILE_MODE = 0o644;

/**
 * The scope of a deployment. Deployments to different namespaces, or with different profiles, have different objects,
 * and must not prune each other's.
 */
export function scopeOf({ config, options, target }: PipelineSession): string {
  const { modules, namespace } = options;
  return JSON.stringify([
    target?.context ?? null,
    namespace ?? target?.namespace ?? null,
    modules,
    config.profiles,
  ]);
}

/** Splits the scopes into those of this context, with any namespace and profiles, and all others. */
export function scopesOfContext(
  { scopes }: Inventory,
  context: string,
): { readonly ours: Inventory['scopes']; readonly others: Inventory['scopes'] } {
  const start = `[${JSON.stringify(context)},`;
  const entries = Object.entries(scopes);
  return {
    ours: Object.fromEntries(entries.filter(([scope]) => scope.startsWith(start))),
    others: Object.fromEntries(entries.filter(([scope]) => !scope.startsWith(start))),
  };
}

/** The namespaces that have objects of this project in this context, as far as the inventory knows; sorted. */
export async function knownNamespaces(session: PipelineSession): Promise<readonly string[]> {
  const { ours } = scopesOfContext(await readInventory(session), session.target?.context ?? '');
  const found = Object.values(ours).flatMap((refs) =>
    refs.flatMap(({ namespace }) => namespace ?? []),
  );
  return [...new Set(found)].toSorted();
}

/**
 * Reads the inventory. A missing file counts as empty. Rejects with LHL420 if the file cannot be read or is damaged: an
 * inventory that was written in its place would lose the deployed objects.
 */
export async function readInventory(session: PipelineSession): Promise<Inventory> {
  return (await readStored(session)) ?? { project: session.runId, scopes: {} };
}

/**
 * The project of this checkout. Stores it if there is none yet: objects that had another label than the one in the file
 * would never be deleted.
 */
export async function recordedProject(session: PipelineSession): Promise<string> {
  const stored = await readStored(session);
  // Another session may store its project first: then that one counts.
  return (stored ?? (await changeInventory(session, (found) => found))).project;
}

/** null: the file is missing. */
async function readStored({ platform, stateFolder }: PipelineSession): Promise<Inventory | null> {
  const path = `${stateFolder}/${FILE}`;
  try {
    const text = await unlessMissing(platform.files.read(path));
    if (text === null) return null;
    const read: unknown = JSON.parse(text);
    if (isInventory(read)) return read;
  } catch (error) {
    throw unreadable(path, errorText(error));
  }
  throw unreadable(path, 'it is damaged');
}

function unreadable(path: string, why: string): LifehookError {
  return new LifehookError({
    code: 'LHL420',
    message: `The record of the deployed objects, ${path}, cannot be read: ${why}.`,
    next: 'Make the file readable, or move it away: then delete with kubectl what earlier runs deployed.',
  });
}

/**
 * Changes what the file has now, and returns what it has then. Another session that changes it at the same time waits.
 */
export async function changeInventory(
  session: PipelineSession,
  change: (inventory: Inventory) => Inventory,
): Promise<Inventory> {
  return withStateLock(session, async () => {
    const changed = change(await readInventory(session));
    await writeInventory(session, changed);
    return changed;
  });
}

async function writeInventory(
  { platform: { files }, stateFolder }: PipelineSession,
  inventory: Inventory,
): Promise<void> {
  await files.makeFolder(stateFolder, FOLDER_MODE);
  const text = `${JSON.stringify(inventory, null, 2)}\n`.replaceAll(/[\u0080-\uffff]/g, escaped);
  await files.replace(`${stateFolder}/${FILE}`, text, { mode: FILE_MODE });
}

/** Escapes a character outside ASCII, since a file is written byte by byte (see ByteText). */
function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Records the pod of a verification before it is created, and removes the record after it is deleted. The pod has its
 * own scope in the inventory, so `delete` finds it even if the session was killed.
 */
export async function recordVerifyPod(
  session: PipelineSession,
  pod: ObjectRef,
  { isThere }: { readonly isThere: boolean },
): Promise<void> {
  const scope = JSON.stringify([session.target?.context ?? null, 'verify', pod.name]);
  await changeInventory(session, (inventory) => {
    const { [scope]: _, ...others } = inventory.scopes;
    return { ...inventory, scopes: isThere ? { ...others, [scope]: [pod] } : others };
  });
}

/** The inventory without these objects of this context, and without scopes that have no object any more. */
export function withoutRefs(
  inventory: Inventory,
  context: string,
  refs: readonly ObjectRef[],
): Inventory {
  const deleted = new Set(refs.map(keyOf));
  const { ours, others } = scopesOfContext(inventory, context);
  const left = Object.entries(ours)
    .map(([scope, known]) => [scope, known.filter((ref) => !deleted.has(keyOf(ref)))] as const)
    .filter(([, known]) => known.length > 0);
  return { ...inventory, scopes: { ...others, ...Object.fromEntries(left) } };
}

/** The union, without duplicates. */
export function union(a: readonly ObjectRef[], b: readonly ObjectRef[]): readonly ObjectRef[] {
  return [...new Map([...a, ...b].map((ref) => [keyOf(ref), ref])).values()];
}

/**
 * Kinds whose deletion also deletes objects of others. They are never pruned, and deleted only when everything is
 * deleted.
 */
const KEPT_KINDS = new Set(['Namespace', 'CustomResourceDefinition']);

/**
 * The objects to prune. Worked example: [a, b] was deployed before, and [b, c] is deployed now. Then a is pruned,
 * unless another scope has it too.
 */
export function toPrune(
  inventory: Inventory,
  scope: string,
  now: readonly ObjectRef[],
): readonly ObjectRef[] {
  const { scopes } = inventory;
  const [context] = JSON.parse(scope) as [string];
  const { ours } = scopesOfContext(inventory, context);
  const others = Object.entries(ours).flatMap(([name, refs]) => (name === scope ? [] : refs));
  const kept = new Set([...others, ...now].map(keyOf));
  return (scopes[scope] ?? []).filter((ref) => !kept.has(keyOf(ref)) && !KEPT_KINDS.has(ref.kind));
}

/**
 * The objects of a scope that a prune keeps: they stay in the inventory, so that the end of the deployment deletes
 * them.
 */
export function neverPruned({ scopes }: Inventory, scope: string): readonly ObjectRef[] {
  return (scopes[scope] ?? []).filter(({ kind }) => KEPT_KINDS.has(kind));
}

function isInventory(value: unknown): value is Inventory {
  if (!isObject(value) || typeof value['project'] !== 'string' || !isObject(value['scopes']))
    return false;
  return Object.values(value['scopes']).every((refs) => Array.isArray(refs) && refs.every(isRef));
}

function isRef(value: unknown): value is ObjectRef {
  if (!isObject(value)) return false;
  const { apiVersion, kind, name, namespace = '' } = value;
  return [apiVersion, kind, name, namespace].every((one) => typeof one === 'string');
}
