/**
 * Finds containers that mount the volumes and were not frozen, because they have started since the plan.
 *
 * They may have written during the cut, so the freeze of the others proves nothing (SNAP-I2).
 */
import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';

import { sameJson } from '../../../controller/same-json.ts';
import type { KubeClient } from '../../../kube/client.ts';
import { pods } from '../../../kube/resources.ts';
import type {
  HookEvidence,
  HookFinding,
  ApplicationSnapshot,
  ExecutionHook,
  ExecutionHookInfo,
  PodContainerNames,
} from '../kinds.ts';
import type { HookFacts } from './facts.ts';
import { readClaimHooks } from './claim-hooks.ts';
import { findPlannedClaims } from './read-sources.ts';
import { containersOf } from './usage.ts';

/**
 * Reads from the server, after the thaw. Adds a finding to evidence that has none. Checks only hooks without targets in
 * their info: these are for all containers that mount the volumes (SNAP-R30). Without infos in the spec, the
 * annotations of the claims are read again; a hook whose annotation was removed since the plan is not checked.
 */
export async function readNewUsers(
  client: KubeClient,
  snapshot: ApplicationSnapshot,
): Promise<(evidence: HookEvidence, of: HookFacts) => HookEvidence> {
  const { metadata, spec, status = {} } = snapshot;
  const { executionHookNames: names = [], executionHookInfos: planned = [] } = status;
  const given = spec.executionHookInfos;
  if (planned.length === 0 || given?.some(isForAll) === false) return (evidence) => evidence;
  const claims = await findPlannedClaims(client, snapshot);
  const forAll = await whichForAll(snapshot, claims);
  const { items } = await client.list(pods, { namespace: metadata?.namespace ?? '' });
  const users = containersOf(claims, items);
  return (evidence, { name, hook }) => {
    if (evidence.finding !== undefined || hook === null) return evidence;
    if (forAll[names.indexOf(name)] !== true) return evidence;
    const finding = newUserFinding(hook, users);
    return finding === null ? evidence : { ...evidence, finding };
  };
}

/** For each planned hook: whether its info has no targets. Those of the spec have kept their order. */
async function whichForAll(
  { spec, status }: ApplicationSnapshot,
  claims: readonly PersistentVolumeClaim[],
): Promise<readonly boolean[]> {
  if (spec.executionHookInfos !== undefined) return spec.executionHookInfos.map(isForAll);
  const read = await Promise.all(claims.map(readClaimHooks));
  const infos = read.flatMap((each) => each.infos);
  return (status?.executionHookInfos ?? []).map((info) => wasForAll(info, infos));
}

/**
 * Whether the planned hook comes from an info without targets. In the plan, such an info has the list of its
 * containers, like an info that lists them itself. The infos may have another order than in the plan.
 */
function wasForAll(planned: ExecutionHookInfo, infos: readonly ExecutionHookInfo[]): boolean {
  const { podContainerNamesList: list, ...actions } = planned;
  // The plan leaves out the selectors of an info with a list (SNAP-R4).
  const isListed = infos.some(({ podSelector: _pods, containerSelector: _containers, ...info }) =>
    sameJson(info, planned),
  );
  if (list === undefined || isListed) return false;
  return infos.some((info) => sameJson(info, actions));
}

function isForAll(info: ExecutionHookInfo): boolean {
  const { podContainerNamesList: list, podSelector, containerSelector } = info;
  return list === undefined && podSelector === undefined && containerSelector === undefined;
}

function newUserFinding(
  { status = {} }: ExecutionHook,
  users: readonly PodContainerNames[],
): HookFinding | null {
  // This policy freezes only one of the pods.
  if (status.resolved?.policy === 'ExecuteOnce') return null;
  const targets = status.containerExecutionHookStatuses ?? [];
  const frozen = new Set(targets.map((each) => `${each.podName}/${each.containerName}`));
  const mounting = users.flatMap(({ podName, containerNames }) =>
    containerNames.map((name) => `${podName}/${name}`),
  );
  const first = mounting.find((user) => !frozen.has(user));
  if (first === undefined) return null;
  const message = `${first} mounts a volume and was not frozen: it has started since the plan, perhaps before the cut`;
  return { value: 'Unknown', reason: 'NewUser', message };
}
