/** Takes away what `lifehook install` has brought, and what the controllers have made for themselves. */
import { isReason } from '../../kube/api-error.ts';
import type { KubeClient } from '../../kube/client.ts';
import { getOrNull } from '../../kube/get-or-null.ts';
import type { KubeObject, ObjectKey, Resource } from '../../kube/object.ts';
import {
  leases,
  makeResource,
  mutatingWebhookConfigurations,
  namespaces,
  secrets,
  validatingWebhookConfigurations,
} from '../../kube/resources.ts';
import { installObjects } from './install-objects.ts';
import { LABELS, NAME, WEBHOOK, WEBHOOK_CONFIGURATION_NAMES } from './install-options.ts';

export interface Installed {
  readonly namespace: string;
  readonly namespaced: boolean;
}

/** First, once no controller puts them back: nothing is refused any more because nobody answers. */
export async function removeWebhooks(client: KubeClient): Promise<void> {
  for (const name of WEBHOOK_CONFIGURATION_NAMES) {
    await deleteIfThere(client, mutatingWebhookConfigurations, { name });
    await deleteIfThere(client, validatingWebhookConfigurations, { name });
  }
}

/** The rest, when nothing of any kind of ours holds anything. Returns what is going, as kind/name. */
export async function removeInstalled(
  client: KubeClient,
  { namespace, namespaced }: Installed,
): Promise<readonly string[]> {
  await deleteIfThere(client, secrets, { namespace, name: WEBHOOK });
  await deleteIfThere(client, leases, { namespace, name: NAME });
  const removed: string[] = [];
  for (const object of installedObjects({ namespace, namespaced }).toReversed()) {
    const { kind = '', metadata } = object;
    // The kinds are of all installations.
    if (namespaced && kind === 'CustomResourceDefinition') continue;
    if (kind === 'Namespace' && !(await isOurs(client, namespace))) continue;
    const { name = '' } = metadata ?? {};
    if (await deleteIfThere(client, resourceOf(object), keyOf(object)))
      removed.push(`${kind}/${name}`);
  }
  return removed;
}

/** Those of `removeInstalled` that are not gone yet. */
export async function stillGoing(client: KubeClient, installed: Installed): Promise<string[]> {
  const going: string[] = [];
  for (const object of installedObjects(installed)) {
    const found = await getOrNull(client, resourceOf(object), keyOf(object));
    const name = `${object.kind ?? ''}/${object.metadata?.name ?? ''}`;
    if (found?.metadata?.deletionTimestamp !== undefined) going.push(name);
  }
  return going;
}

/** False: it was not there. */
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

/** One that somebody else has made, such as kube-system, stays. */
async function isOurs(client: KubeClient, name: string): Promise<boolean> {
  const found = await getOrNull(client, namespaces, { name });
  const labels = found?.metadata?.labels ?? {};
  return Object.entries(LABELS).every(([key, value]) => labels[key] === value);
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

function keyOf({ metadata }: KubeObject): ObjectKey {
  const { namespace, name = '' } = metadata ?? {};
  return namespace === undefined ? { name } : { namespace, name };
}
