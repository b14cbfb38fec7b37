/** Creates the content of each VolumeGroupSnapshot, and the member snapshots once the content is cut. */
import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import { aboutObject } from '../../../../../src/controller/event-recorder.ts';
import {
  addFinalizer,
  isTerminating,
  removeFinalizer,
} from '../../../../../src/controller/finalizers.ts';
import { byOwnerUid, ownKey } from '../../../../../src/controller/indexes.ts';
import { timeText } from '../../../../../src/controller/kube-time.ts';
import { parseKey } from '../../../../../src/controller/object-key.ts';
import { done, type Outcome, requeueAfter } from '../../../../../src/controller/reconcile.ts';
import { watched } from '../../../../../src/controller/source.ts';
import { writeStatusIfChanged } from '../../../../../src/controller/write-status.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import { getOrNull, volumeOf } from '../../../../../src/kube/get-or-null.ts';
import { persistentVolumeClaims } from '../../../../../src/kube/resources.ts';
import { classOf, type SnapshotterContext, GROUP_BOUND, GROUP_CONTENT_BOUND } from '../context.ts';
import {
  groupClasses,
  groupContents,
  groupSnapshots,
  IS_DEFAULT_GROUP_CLASS,
  snapshots,
  type VolumeGroupSnapshot,
  type VolumeGroupSnapshotContent,
} from '../../../../../src/kube/snapshots.ts';
import { decideGroup, groupContentName, type GroupStep, type Member } from './decide-group.ts';
import { makeMembers } from './members.ts';

const AGAIN_MS = 2_000;

export function makeGroupController(context: SnapshotterContext): Controller {
  const { client, informers } = context;
  const ofGroups = informers.of(groupSnapshots);
  const ofClasses = informers.of(groupClasses);
  return makeController({
    ...context,
    name: 'volume-group-snapshots',
    sources: [
      watched({ informer: ofGroups, keys: ownKey }),
      watched({ informer: informers.of(groupContents), keys: groupKey }),
    ],
    reconcile: async (key): Promise<Outcome> => {
      if (ofGroups.get(key) === undefined) return done;
      const group = await getOrNull(client, groupSnapshots, parseKey(key));
      if (group === null) return done;
      const members = await membersOf(client, group);
      const content = await getOrNull(client, groupContents, { name: groupContentName(group) });
      const groupClass = classOf(
        group.spec?.volumeGroupSnapshotClassName,
        ofClasses,
        IS_DEFAULT_GROUP_CLASS,
      );
      const step = decideGroup({ group, groupClass, members, content });
      return carryOut({ context, group, members }, step);
    },
  });
}

function groupKey({ spec }: VolumeGroupSnapshotContent): readonly string[] {
  const { namespace = '', name = '' } = spec.volumeGroupSnapshotRef;
  return [`${namespace}/${name}`];
}

async function membersOf(
  client: KubeClient,
  { metadata, spec }: VolumeGroupSnapshot,
): Promise<readonly Member[]> {
  const labels = Object.entries(spec?.source?.selector?.matchLabels ?? {});
  if (labels.length === 0) return [];
  const labelSelector = labels.map(([name, value]) => `${name}=${value}`).join(',');
  const namespace = metadata?.namespace ?? '';
  const { items } = await client.list(persistentVolumeClaims, { namespace, labelSelector });
  return Promise.all(
    items.map(async (claim) => ({ claim, volume: await volumeOf(client, claim) })),
  );
}

interface Acting {
  readonly context: SnapshotterContext;
  readonly group: VolumeGroupSnapshot;
  readonly members: readonly Member[];
}

async function carryOut(acting: Acting, step: GroupStep): Promise<Outcome> {
  switch (step.kind) {
    case 'nothing':
    case 'waitForContent':
      return done;
    case 'fail':
      return fail(acting, step.message);
    case 'createContent':
      return create(acting, step.content);
    case 'report':
      return report(acting, step.content);
    case 'deleteContent':
      return deleteAll(acting, step.content);
    case 'release':
      return release(acting);
    default:
      return step satisfies never;
  }
}

async function fail({ context, group }: Acting, message: string): Promise<Outcome> {
  if (group.status?.error?.message !== message) {
    const about = aboutObject(groupSnapshots, group);
    const reason = 'GroupSnapshotContentCreationFailed';
    context.recorder.record({ about, type: 'Warning', reason, message });
    const error = { time: timeText(context.platform.clock.nowMs()), message };
    await write(context.client, group, { ...group.status, readyToUse: false, error });
  }
  return requeueAfter(AGAIN_MS, message);
}

async function create(
  { context: { client }, group }: Acting,
  content: VolumeGroupSnapshotContent,
): Promise<Outcome> {
  const resource = groupSnapshots;
  await addFinalizer({ client, resource, object: group, finalizer: GROUP_BOUND });
  const metadata = { ...content.metadata, finalizers: [GROUP_CONTENT_BOUND] };
  await client.create(groupContents, { ...content, metadata });
  return done;
}

/** Reports the cut before it creates the members: a client with frozen applications waits only for the cut. */
async function report(
  { context: { client }, group, members }: Acting,
  content: VolumeGroupSnapshotContent,
): Promise<Outcome> {
  const { creationTime, error, readyToUse = false } = content.status ?? {};
  const status = {
    boundVolumeGroupSnapshotContentName: content.metadata?.name ?? '',
    readyToUse,
    ...(creationTime === undefined ? {} : { creationTime }),
    ...(error === undefined || readyToUse ? {} : { error }),
  };
  await write(client, group, status);
  if (creationTime !== undefined) await makeMembers({ client, group, content }, members);
  return done;
}

async function deleteAll(
  { context: { client }, group }: Acting,
  { metadata = {} }: VolumeGroupSnapshotContent,
): Promise<Outcome> {
  const { name = '', uid = '' } = metadata;
  await deleteMembers(client, group);
  await client.delete(groupContents, { name }, { preconditions: { uid } });
  return done;
}

async function deleteMembers(client: KubeClient, { metadata }: VolumeGroupSnapshot): Promise<void> {
  const namespace = metadata?.namespace ?? '';
  const { items } = await client.list(snapshots, { namespace });
  for (const member of items) {
    if (isTerminating(member) || !byOwnerUid(member).includes(metadata?.uid ?? '')) continue;
    await client.delete(snapshots, { namespace, name: member.metadata?.name ?? '' });
  }
}

async function release({ context: { client }, group }: Acting): Promise<Outcome> {
  const resource = groupSnapshots;
  await removeFinalizer({ client, resource, object: group, finalizer: GROUP_BOUND });
  return done;
}

async function write(
  client: KubeClient,
  { metadata }: VolumeGroupSnapshot,
  status: NonNullable<VolumeGroupSnapshot['status']>,
): Promise<void> {
  const { namespace = '', name = '' } = metadata ?? {};
  const object = await client.get(groupSnapshots, { namespace, name });
  await writeStatusIfChanged({ client, resource: groupSnapshots, object, status });
}
