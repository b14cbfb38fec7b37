/**
 * Reads the inputs of a plan, except classes, from the server: the plan is made once and needs the newest state. After
 * the plan it reads their current state.
 */
import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';

import type { KubeClient } from '../../../kube/client.ts';
import { getOrNull, volumeOf } from '../../../kube/get-or-null.ts';
import { persistentVolumeClaims, pods, volumeAttachments } from '../../../kube/resources.ts';
import type { ApplicationSnapshot, SnapshotVolume } from '../kinds.ts';
import { CLAIMS_MAX } from '../schema/limits.ts';
import { readClaimHooks } from './claim-hooks.ts';
import type { ClaimFacts, PlanFacts } from './plan.ts';
import { isInUse } from './usage.ts';

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
  // A selector may find thousands of claims. The plan refuses so many, whatever their volumes are.
  if (found.length > CLAIMS_MAX) {
    return found.map((each) => ({ ...each, volume: null, infos: [], infosProblem: null }));
  }
  return Promise.all(
    found.map(async ({ name, claim }) => ({
      name,
      claim,
      volume: await volumeOf(client, claim),
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

/**
 * The planned claims that still exist. A claim that was created since the plan is left out, also one of the same name.
 */
export async function findPlannedClaims(
  client: KubeClient,
  { metadata, status }: ApplicationSnapshot,
): Promise<readonly PersistentVolumeClaim[]> {
  const namespace = metadata?.namespace ?? '';
  const found = await Promise.all(
    (status?.volumes ?? []).map(async ({ claimName: name, claimUID }) => {
      const claim = await getOrNull(client, persistentVolumeClaims, { namespace, name });
      return claim?.metadata?.uid === claimUID ? claim : null;
    }),
  );
  return found.filter((claim) => claim !== null);
}

/** The volumes with their present use: one that was not in use at the plan may be mounted since. */
export async function withPresentUse(
  client: KubeClient,
  snapshot: ApplicationSnapshot,
  volumes: readonly SnapshotVolume[],
): Promise<readonly SnapshotVolume[]> {
  if (volumes.every(({ inUse }) => inUse)) return volumes;
  const namespace = snapshot.metadata?.namespace ?? '';
  const [claims, { items: attachments }, { items: all }] = await Promise.all([
    findPlannedClaims(client, snapshot),
    client.list(volumeAttachments),
    client.list(pods, { namespace }),
  ]);
  return volumes.map((volume) => {
    const { claimUID, driver, inUse } = volume;
    const claim = claims.find(({ metadata }) => metadata?.uid === claimUID);
    const isUsed = claim !== undefined && isInUse({ claim, attachments, pods: all, driver });
    return { ...volume, inUse: inUse || isUsed };
  });
}
