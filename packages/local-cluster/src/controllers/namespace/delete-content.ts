/**
 * Empties a namespace: its pods first, each with its own grace, and everything else when they are gone,
 * so that nothing loses its network policy or its configuration while it still runs.
 */
import { ApiError } from '../../../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import { type KubeObject, type Resource, resourceName } from '../../../../../src/kube/object.ts';
import { pathOf } from '../../../../../src/kube/paths.ts';
import { errorText } from '../../../../../src/platform/error-text.ts';
import type { CancelSignal } from '../../../../../src/platform/platform.ts';
import { has, readServedKinds, type ServedKind } from '../discovery/served-kinds.ts';
import type { ContentReport, Remaining } from './conditions.ts';

export interface Emptying {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly signal: CancelSignal;
}

export async function deleteContent(emptying: Emptying): Promise<ContentReport> {
  const { client, signal } = emptying;
  const served = await readServedKinds(client, { signal });
  const kinds = served.kinds.filter(
    (kind) => kind.resource.namespaced && has(kind, 'list') && has(kind, 'delete'),
  );
  const report = {
    discoveryFailures: served.failures,
    deletionFailures: [] as string[],
    remaining: [] as Remaining[],
  };
  const empty = async (kind: ServedKind): Promise<void> => {
    try {
      const left = await deleteKind(emptying, kind);
      if (left.count > 0) report.remaining.push(left);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The kind itself went meanwhile, and its objects with it.
      if (error.code !== 404) {
        report.deletionFailures.push(`${resourceName(kind.resource)}: ${errorText(error)}`);
      }
    }
  };
  for (const kind of kinds.filter(isPods)) await empty(kind);
  if (report.remaining.length > 0) return report;
  for (const kind of kinds) if (!isPods(kind)) await empty(kind);
  return report;
}

function isPods({ resource }: ServedKind): boolean {
  return resource.group === '' && resource.plural === 'pods';
}

async function deleteKind(emptying: Emptying, kind: ServedKind): Promise<Remaining> {
  const { resource } = kind;
  const objects = await list(emptying, resource);
  const open = objects.filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
  if (open.length === 0) return remainingOf(resource, objects);
  if (has(kind, 'deletecollection')) await deleteCollection(emptying, resource);
  else for (const object of open) await deleteOne(emptying, resource, object);
  return remainingOf(resource, await list(emptying, resource));
}

async function list(
  { client, namespace, signal }: Emptying,
  resource: Resource,
): Promise<readonly KubeObject[]> {
  return (await client.list(resource, { namespace, signal })).items;
}

async function deleteCollection(
  { client, namespace, signal }: Emptying,
  resource: Resource,
): Promise<void> {
  await client.raw({
    method: 'DELETE',
    path: pathOf(resource, { namespace }),
    body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' },
    signal,
  });
}

async function deleteOne(
  { client, namespace, signal }: Emptying,
  resource: Resource,
  { metadata }: KubeObject,
): Promise<void> {
  try {
    const key = { namespace, name: metadata?.name ?? '' };
    await client.delete(resource, key, { propagationPolicy: 'Background', signal });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 404) throw error;
  }
}

function remainingOf(resource: Resource, objects: readonly KubeObject[]): Remaining {
  const finalizers = objects.flatMap(({ metadata }) => metadata?.finalizers ?? []);
  return { resource, count: objects.length, finalizers };
}
