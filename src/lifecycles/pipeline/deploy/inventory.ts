/**
 * Stores in `.lifehook/deployed.json` which objects this project has deployed from this checkout. Only objects that are
 * in this file and have the project's label may be pruned or deleted. The project is named by a UUID that is created
 * once; a fresh checkout has another UUID and prunes nothing.
 */
import { isObject } from '../../../kube/fields.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { PipelineSession } from '../session.ts';
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

/** An unreadable file counts as empty: then nothing is pruned. */
export async function readInventory(session: PipelineSession): Promise<Inventory> {
  const { platform, stateFolder, runId } = session;
  const none = { project: runId, scopes: {} };
  try {
    const read: unknown = JSON.parse(await platform.files.read(`${stateFolder}/${FILE}`));
    return isInventory(read) ? read : none;
  } catch {
    return none;
  }
}

export async function writeInventory(
  { files }: Pick<Platform, 'files'>,
  stateFolder: string,
  inventory: Inventory,
): Promise<void> {
  await files.makeFolder(stateFolder, FOLDER_MODE);
  const text = `${JSON.stringify(inventory, null, 2)}\n`.replaceAll(/[\u0080-\uffff]/g, escaped);
  await files.replace(`${stateFolder}/${FILE}`, text, { mode: FILE_MODE });
}

/** A file is written byte by byte (see ByteText), so other characters are escaped. */
function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
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
 * Worked example: [a, b] was deployed before, and [b, c] is deployed now. Then a is pruned, unless another scope has it
 * too.
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
