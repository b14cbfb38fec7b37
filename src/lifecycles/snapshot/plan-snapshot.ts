/**
 * Plans a snapshot without creating it, with the functions that the controllers use and the current state of the
 * server.
 *
 * It reads objects and checks permissions, and writes nothing.
 */
import { missingPermissions, type MissingPermission } from '../../controller/ask-permissions.ts';
import { capabilitiesOf, readServerFacts } from '../../kube/capabilities.ts';
import type { KubeClient } from '../../kube/client.ts';
import { classes, GROUP_VERSIONS } from '../../kube/snapshots.ts';
import { keyOf } from '../../controller/object-key.ts';
import { whyWrongSpec } from './app/check-spec.ts';
import type { Failure } from './app/failure.ts';
import { hookFor } from './app/made-objects.ts';
import { planSnapshot } from './app/plan.ts';
import { classText, listOrNull, KIND_NOT_SERVED, missingText } from './app/read-kinds.ts';
import { readSources } from './app/read-sources.ts';
import { groupClassesOf } from './app/snapshot-kinds.ts';
import { frozenTargets } from './frozen-targets.ts';
import { type Beginning, beginHook } from './hook/begin-hook.ts';
import { unprovenText } from './hook/hold-registry.ts';
import { isUnproven, targetsOf } from './hook/targets.ts';
import {
  type ApplicationSnapshot,
  type ExecutionHook,
  type ExecutionHookStatus,
  executionHooks,
  type SnapshotVolume,
} from './kinds.ts';
import { snapshotPermissions } from './permissions.ts';
import { resolveRecipe } from './recipes/all-recipes.ts';

export interface SnapshotPlan {
  readonly volumes: readonly SnapshotVolume[];
  readonly hooks: readonly PlannedHook[];
  /** Problems that would make the snapshot fail or wait; empty: no problem is known now. */
  readonly obstacles: readonly string[];
  /** Permissions that the controller needs and the caller lacks. */
  readonly missingPermissions: readonly MissingPermission[];
}

export interface PlannedHook {
  readonly name: string;
  readonly status: ExecutionHookStatus | null;
}

export async function planWithoutDoing(
  client: KubeClient,
  snapshot: ApplicationSnapshot,
): Promise<SnapshotPlan> {
  const namespace = snapshot.metadata?.namespace ?? '';
  const permissions = await missingPermissions(client, {
    namespace,
    permissions: snapshotPermissions,
  });
  const wrong = whyWrongSpec(snapshot);
  if (wrong !== null) return failed({ reason: 'Invalid', message: wrong }, permissions);
  const { volumeSnapshot, volumeGroupSnapshot } = capabilitiesOf(await readServerFacts(client));
  if (volumeSnapshot === null) {
    const message = 'this server has no VolumeSnapshots: install a snapshotter and its kinds';
    return failed({ reason: 'NoSnapshots', message }, permissions);
  }
  const isGroup = snapshot.spec.mode === 'Group';
  const ofMode = isGroup ? groupClassesOf(volumeGroupSnapshot) : classes;
  if (ofMode === null) {
    const message = `this server has no VolumeGroupSnapshots in ${GROUP_VERSIONS.join(', ')}: install their kinds, or use mode Single`;
    return failed({ reason: 'NoGroupSnapshots', message }, permissions);
  }
  const found = await listOrNull(client, ofMode);
  if (found === null) {
    return failed(
      { reason: KIND_NOT_SERVED, message: missingText([classText(ofMode)]) },
      permissions,
    );
  }
  const plan = planSnapshot({ ...(await readSources(client, snapshot)), classes: found });
  if ('reason' in plan) return failed(plan, permissions);
  const planned = { ...snapshot, status: plan };
  const begun = await Promise.all(
    plan.executionHookNames.map(async (name, index) => ({
      name,
      beginning: await beginHook(hookFor(planned, index), { client, resolveRecipe, call: {} }),
    })),
  );
  const { items: hooks } = await client.list(executionHooks, { namespace });
  return {
    volumes: plan.volumes,
    hooks: begun.map(({ name, beginning }) => ({ name, status: statusOf(beginning) })),
    obstacles: [
      ...begun.flatMap(({ name, beginning }) => refusalOf(name, beginning)),
      ...overlaps(hooks, begun),
      ...(begun.length === 0 ? [] : unproven(hooks, plan.volumes)),
    ],
    missingPermissions: permissions,
  };
}

function failed(
  { reason, message }: Failure,
  permissions: readonly MissingPermission[],
): SnapshotPlan {
  const obstacles = [`${reason}: ${message}`];
  return { volumes: [], hooks: [], obstacles, missingPermissions: permissions };
}

function statusOf(beginning: Beginning): ExecutionHookStatus | null {
  return beginning.kind === 'begun' ? beginning.status : null;
}

function refusalOf(name: string, beginning: Beginning): string[] {
  if (beginning.kind === 'begun') return [];
  return [`hook ${name}: ${beginning.reason}: ${beginning.message}`];
}

/** Problems with targets that other hooks hold now: the snapshot would wait for them (SNAP-I9). */
function overlaps(
  hooks: readonly ExecutionHook[],
  begun: readonly { readonly beginning: Beginning }[],
): string[] {
  const wanted = new Set(
    begun.flatMap(({ beginning }) =>
      (statusOf(beginning)?.containerExecutionHookStatuses ?? []).map(
        ({ podName, containerName }) => `${podName}/${containerName}`,
      ),
    ),
  );
  return hooks
    .flatMap(frozenTargets)
    .filter((frozen) => !frozen.unproven && wanted.has(`${frozen.pod}/${frozen.container}`))
    .map(
      ({ pod, container, hook }) =>
        `pod ${pod}, container ${container} is frozen by hook ${hook}: the snapshot would wait for its thaw`,
    );
}

/** Problems with volumes that may still be frozen although their pod was deleted: only a user can settle that. */
function unproven(hooks: readonly ExecutionHook[], volumes: readonly SnapshotVolume[]): string[] {
  const wanted = new Set(volumes.map(({ claimName }) => claimName));
  return hooks.flatMap((hook) => {
    const claims = targetsOf(hook)
      .filter(isUnproven)
      .flatMap(({ claimNames = [] }) => claimNames);
    const blocked = [...new Set(claims)].filter((claim) => wanted.has(claim));
    return blocked.map((claim) => unprovenText(claim, keyOf(hook)));
  });
}
