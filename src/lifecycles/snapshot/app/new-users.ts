/**
 * Finds containers that mount the volumes and were not frozen, because they have started since the plan.
 *
 * They may have written during the cut, so the freeze of the others proves nothing (SNAP-I2).
 */
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
import { findClaims } from './read-sources.ts';
import { containersOf } from './usage.ts';

/**
 * Reads from the server, after the thaw. Adds a finding to evidence that has none. Checks only hooks without targets in
 * their info: these are for all containers that mount the volumes (SNAP-R30).
 */
export async function readNewUsers(
  client: KubeClient,
  snapshot: ApplicationSnapshot,
): Promise<(evidence: HookEvidence, of: HookFacts) => HookEvidence> {
  const { executionHookInfos: infos = [] } = snapshot.spec;
  if (!infos.some(isForAll)) return (evidence) => evidence;
  const [claims, { items }] = await Promise.all([
    findClaims(client, snapshot),
    client.list(pods, { namespace: snapshot.metadata?.namespace ?? '' }),
  ]);
  const users = containersOf(
    claims.flatMap(({ claim }) => claim ?? []),
    items,
  );
  const names = snapshot.status?.executionHookNames ?? [];
  return (evidence, { name, hook }) => {
    const info = infos[names.indexOf(name)];
    if (evidence.finding !== undefined || hook === null) return evidence;
    if (info === undefined || !isForAll(info)) return evidence;
    const finding = newUserFinding(hook, users);
    return finding === null ? evidence : { ...evidence, finding };
  };
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
