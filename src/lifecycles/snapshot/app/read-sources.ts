/** Reads the inputs of a plan, except classes, from the server: the plan is made once and needs the newest state. */
import type { PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';

import type { KubeClient } from '../../../kube/client.ts';
import { getOrNull } from '../../../kube/get-or-null.ts';
import {
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  volumeAttachments,
} from '../../../kube/resources.ts';
import type { ApplicationSnapshot } from '../kinds.ts';
import { readClaimHooks } from './claim-hooks.ts';
import type { ClaimFacts, PlanFacts } from './plan.ts';

export async function readSources(
  client: KubeClient,
  snapshot: ApplicationSnapshot,
): Promise<Omit<PlanFacts, 'classes'>> {
  const namespace = snapshot.metadata?.namespace ?? '';
  const [claims, attachments, podList] = await Promise.all([
    readClaims(client, snapshot),
    client.list(volumeAttachments),
    client.list(pods, { namespace }),
  ]);
  return { snapshot, claims, attachments: attachments.items, pods: podList.items };
}

async function readClaims(
  client: KubeClient,
  snapshot: ApplicationSnapshot,
): Promise<readonly ClaimFacts[]> {
  const found = await findClaims(client, snapshot);
  return Promise.all(
    found.map(async ({ name, claim }) => ({
      name,
      claim,
      volume: await readVolume(client, claim),
      ...(await readClaimHooks(claim)),
    })),
  );
}

export interface FoundClaim {
  readonly name: string;
  readonly claim: PersistentVolumeClaim | null;
}

/** The claims that the spec names, in its order. If the spec has a selector: the selected claims, sorted by name. */
export async function findClaims(
  client: KubeClient,
  { metadata, spec }: ApplicationSnapshot,
): Promise<readonly FoundClaim[]> {
  const namespace = metadata?.namespace ?? '';
  const names = spec.source.persistentVolumeClaimNames;
  if (names !== undefined) {
    return Promise.all(
      names.map(async (name) => ({
        name,
        claim: await getOrNull(client, persistentVolumeClaims, { namespace, name }),
      })),
    );
  }
  const labels = Object.entries(spec.source.selector?.matchLabels ?? {});
  const labelSelector = labels.map(([name, value]) => `${name}=${value}`).join(',');
  const { items } = await client.list(persistentVolumeClaims, { namespace, labelSelector });
  return items
    .map((claim) => ({ name: claim.metadata?.name ?? '', claim }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function readVolume(
  client: KubeClient,
  claim: PersistentVolumeClaim | null,
): Promise<PersistentVolume | null> {
  const name = claim?.spec?.volumeName;
  return name === undefined ? null : getOrNull(client, persistentVolumes, { name });
}
