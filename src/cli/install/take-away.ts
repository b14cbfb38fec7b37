/** Deletes the objects of `lifehook install`, and those that the controllers created. */
import { isReason, orNull } from '../../kube/api-error.ts';
import type { DeleteOptions, KubeClient } from '../../kube/client.ts';
import { getOrNull, objectKey } from '../../kube/get-or-null.ts';
import type { KubeObject, ObjectKey, Resource } from '../../kube/object.ts';
import {
  configMaps,
  deployments,
  leases,
  makeResource,
  mutatingWebhookConfigurations,
  namespaces,
  persistentVolumeClaims,
  pods,
  secrets,
  validatingWebhookConfigurations,
} from '../../kube/resources.ts';
import { snapshots } from '../../kube/snapshots.ts';
import { installObjects } from './install-objects.ts';
import {
  LABELS,
  NAME,
  NOTIFICATIONS,
  WEBHOOK,
  WEBHOOK_CONFIGURATION_NAMES,
} from './install-options.ts';
import { listOrNone } from './standing.ts';

export interface Installed {
  readonly namespace: string;
  readonly namespaced: boolean;
}

/**
 * Deletes the webhook configurations. Call it when no controller runs that would restore them, and before any other
 * deletion. From then on no request fails because a webhook is missing.
 */
export async function removeWebhooks(
  client: KubeClient,
  options: Pick<DeleteOptions, 'dryRun'> = {},
): Promise<void> {
  for (const name of WEBHOOK_CONFIGURATION_NAMES) {
    await orNull(client.delete(mutatingWebhookConfigurations, { name }, options), 'NotFound');
    await orNull(client.delete(validatingWebhookConfigurations, { name }, options), 'NotFound');
  }
}

/**
 * Deletes all other objects of the installation. Call it when no object of Lifehook's kinds has a finalizer any more.
 * Returns the objects that it has deleted, as kind/name.
 */
export async function removeInstalled(
  client: KubeClient,
  { namespace, namespaced }: Installed,
): Promise<readonly string[]> {
  await deleteIfThere(client, secrets, { namespace, name: WEBHOOK });
  await deleteIfThere(client, leases, { namespace, name: NAME });
  await deleteIfThere(client, configMaps, { namespace, name: NOTIFICATIONS });
  const removed: string[] = [];
  for (const object of installedObjects({ namespace, namespaced }).toReversed()) {
    const { kind = '', metadata } = object;
    // All installations share the kinds, so a namespaced uninstall keeps them.
    if (namespaced && kind === 'CustomResourceDefinition') continue;
    if (kind === 'Namespace' && !(await isOnlyOurs(client, namespace))) continue;
    const { name = '' } = metadata ?? {};
    if (await deleteIfThere(client, resourceOf(object), objectKey(object)))
      removed.push(`${kind}/${name}`);
  }
  return removed;
}

/** The objects of `installed` that are still terminating. */
export async function stillTerminating(
  client: KubeClient,
  installed: Installed,
): Promise<string[]> {
  const terminating: string[] = [];
  for (const object of installedObjects(installed)) {
    const found = await getOrNull(client, resourceOf(object), objectKey(object));
    const name = `${object.kind ?? ''}/${object.metadata?.name ?? ''}`;
    if (found?.metadata?.deletionTimestamp !== undefined) terminating.push(name);
  }
  return terminating;
}

/** False: the object did not exist. */
export async function deleteIfThere(
  client: KubeClient,
  resource: Resource,
  key: ObjectKey,
): Promise<boolean> {
  try {
    await client.delete(resource, key);
    return true;
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
    return false;
  }
}

function installedObjects(installed: Installed): readonly KubeObject[] {
  const rest = { image: '', replicas: 1, snapshotKinds: false, timeline: true };
  return installObjects({ ...installed, ...rest });
}

/** API servers refuse to delete these namespaces. */
const PERMANENT: readonly string[] = ['default', 'kube-system', 'kube-public'];

/** Objects of these kinds show that the namespace is also used for something else. */
const OF_USERS = [deployments, pods, persistentVolumeClaims, snapshots] as readonly Resource[];

/**
 * True: the namespace has only objects of Lifehook, so it may be deleted. False also if the user may not list its
 * objects. The label alone does not prove that `lifehook install` created the namespace: `kubectl apply` also labels an
 * existing one. Call this function when the controllers have exited.
 */
async function isOnlyOurs(client: KubeClient, name: string): Promise<boolean> {
  if (PERMANENT.includes(name)) return false;
  const found = await getOrNull(client, namespaces, { name });
  const labels = found?.metadata?.labels ?? {};
  if (!Object.entries(LABELS).every(([key, value]) => labels[key] === value)) return false;
  const used = OF_USERS.map((resource) =>
    orNull(listOrNone(client, resource, { namespace: name }), 'Forbidden'),
  );
  return (await Promise.all(used)).every((objects) => objects?.length === 0);
}

function resourceOf({ apiVersion = '', kind = '', metadata }: KubeObject): Resource {
  const plural = `${kind.toLowerCase()}s`.replace(/ys$/, 'ies');
  return makeResource({
    apiVersion,
    kind,
    plural,
    namespaced: metadata?.namespace !== undefined,
  });
}
