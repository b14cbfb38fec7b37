/**
 * Cuts the volumes of a VolumeGroupSnapshotContent together: at one moment if they are in one btrfs subvolume, else one
 * after the other, which it then reports. CLUS-C1, CLUS-C2, CLUS-C3 and CLUS-C4 of the single contents apply here.
 */
import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import { isTerminating, removeFinalizer } from '../../../../../src/controller/finalizers.ts';
import { ownKey } from '../../../../../src/controller/indexes.ts';
import { timeText } from '../../../../../src/controller/kube-time.ts';
import {
  done,
  type Outcome,
  requeueAfter,
  retry,
} from '../../../../../src/controller/reconcile.ts';
import { watched } from '../../../../../src/controller/source.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import { getOrNull } from '../../../../../src/kube/get-or-null.ts';
import type { JsonObject } from '../../../../../src/kube/object.ts';
import {
  type SnapshotterContext,
  DRIVER,
  GROUP_BEING_CREATED,
  GROUP_CONTENT_BOUND,
  marksOf,
} from '../context.ts';
import {
  contents,
  groupContents,
  type VolumeGroupSnapshotContent,
} from '../../../../../src/kube/snapshots.ts';
import { sourceOf } from '../single/contents.ts';
import type { Cut, Cutter } from '../storage/cutter.ts';

const PASS_TIMEOUT_MS = 1_200_000;
const BACKOFF = { firstMs: 1_000, maxMs: 300_000 };
/** Delay while contents of members still exist. */
const AGAIN_MS = 500;

export function makeGroupContentController(
  context: SnapshotterContext,
  cutter: Cutter,
): Controller {
  const { client, informers } = context;
  const ofContents = informers.of(groupContents);
  return makeController({
    ...context,
    name: 'volume-group-snapshot-contents',
    passTimeoutMs: PASS_TIMEOUT_MS,
    backoff: BACKOFF,
    sources: [watched({ informer: ofContents, keys: ownKey })],
    reconcile: async (name): Promise<Outcome> => {
      if (ofContents.get(name)?.spec.driver !== DRIVER) return done;
      const content = await getOrNull(client, groupContents, { name });
      if (content === null) return done;
      if (isTerminating(content)) return end({ context, cutter, content });
      if (content.status?.volumeGroupSnapshotHandle === undefined) {
        return make({ context, cutter, content });
      }
      if (content.metadata?.annotations?.[GROUP_BEING_CREATED] !== undefined) {
        await annotate(client, content, { [GROUP_BEING_CREATED]: null });
      }
      return done;
    },
  });
}

interface Acting {
  readonly context: SnapshotterContext;
  readonly cutter: Cutter;
  readonly content: VolumeGroupSnapshotContent;
}

async function make(acting: Acting): Promise<Outcome> {
  const { context, cutter, content } = acting;
  const sources = await sourcesOf(acting);
  if (sources === null) return fail(acting, { final: true, message: 'a volume is not there' });
  const { client } = context;
  const marked = await annotate(client, content, { [GROUP_BEING_CREATED]: 'yes' });
  const paths = sources.map(({ path }) => path);
  const result = await cutter.cut(paths, cutName(content));
  if (result.kind === 'failed') return fail({ ...acting, content: marked }, result);
  await record({ ...acting, content: marked }, result.cut, sources);
  return done;
}

type Sources = readonly NonNullable<Awaited<ReturnType<typeof sourceOf>>>[];

async function sourcesOf({ context, content }: Acting): Promise<Sources | null> {
  const handles = content.spec.source.volumeHandles ?? [];
  const found = await Promise.all(handles.map((handle) => sourceOf(context.client, handle)));
  const there = found.filter((source) => source !== null);
  return there.length === handles.length && handles.length > 0 ? there : null;
}

function cutName({ metadata }: VolumeGroupSnapshotContent): string {
  return `group-${metadata?.uid ?? ''}`;
}

async function record(
  { context: { client }, content }: Acting,
  cut: Cut,
  sources: Sources,
): Promise<void> {
  const marks = marksOf(cut);
  const marked = await annotate(client, content, marks);
  const volumes = content.spec.source.volumeHandles ?? [];
  const reported = await client.replaceStatus(groupContents, {
    ...marked,
    status: {
      volumeGroupSnapshotHandle: cutName(content),
      creationTime: timeText(cut.cutAtMs),
      readyToUse: true,
      volumeSnapshotInfoList: volumes.map((volumeHandle, index) => ({
        volumeHandle,
        snapshotHandle: cut.handles[index] ?? '',
        creationTime: cut.cutAtMs * 1e6,
        readyToUse: true,
        restoreSize: sources[index]?.bytes ?? 0,
      })),
    },
  });
  await annotate(client, reported, { [GROUP_BEING_CREATED]: null });
}

async function fail(
  { context: { client, platform }, content }: Acting,
  { final, message }: { readonly final: boolean; readonly message: string },
): Promise<Outcome> {
  const settled = final
    ? await annotate(client, content, { [GROUP_BEING_CREATED]: null })
    : content;
  if (settled.status?.error?.message !== message) {
    const error = { time: timeText(platform.clock.nowMs()), message };
    const status = { ...settled.status, readyToUse: false, error };
    await client.replaceStatus(groupContents, { ...settled, status });
  }
  return retry(new Error(message));
}

/** The members share one cut: it is removed once no member exists. */
async function end(acting: Acting): Promise<Outcome> {
  const { context, content } = acting;
  const { client } = context;
  const { items } = await client.list(contents);
  const own = cutName(content);
  if (items.some(({ status }) => status?.volumeGroupSnapshotHandle === own)) {
    return requeueAfter(AGAIN_MS, 'contents of members are still there');
  }
  if (content.spec.deletionPolicy === 'Delete') {
    const failure = await removeCut(acting);
    if (failure !== null) return retry(new Error(failure));
  }
  const object = content;
  const finalizer = GROUP_CONTENT_BOUND;
  await removeFinalizer({ client, resource: groupContents, object, finalizer });
  return done;
}

async function removeCut(acting: Acting): Promise<string | null> {
  const { cutter, content } = acting;
  const known = content.status?.volumeSnapshotInfoList;
  if (known === undefined) {
    const sources = await sourcesOf(acting);
    const paths = (sources ?? []).map(({ path }) => path);
    return cutter.discard(paths, cutName(content));
  }
  for (const { snapshotHandle = '' } of known) {
    const failure = await cutter.remove(snapshotHandle);
    if (failure !== null) return failure;
  }
  return null;
}

async function annotate(
  client: KubeClient,
  { metadata = {} }: VolumeGroupSnapshotContent,
  annotations: JsonObject,
): Promise<VolumeGroupSnapshotContent> {
  const { name = '', uid = '' } = metadata;
  const body = { metadata: { uid, annotations } };
  return client.patch(groupContents, { name }, { type: 'merge', body });
}
