/**
 * Cuts the volumes of a VolumeGroupSnapshotContent together.
 *
 * Volumes in one btrfs subvolume are cut at one moment. Others are cut one after the other, and the content reports
 * that. CLUS-C1, CLUS-C2, CLUS-C3 and CLUS-C4 of `single/contents.ts` apply here too.
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
import { getOrNull } from '../../../../../src/kube/get-or-null.ts';
import {
  type SnapshotterContext,
  DRIVER,
  GROUP_BEING_CREATED,
  GROUP_CONTENT_BOUND,
} from '../context.ts';
import {
  contents,
  groupContents,
  type VolumeGroupSnapshotContent,
} from '../../../../../src/kube/snapshots.ts';
import { sourceOf } from '../single/contents.ts';
import { ContentWrites } from '../content-writes.ts';
import type { Cutter } from '../storage/cutter.ts';

const PASS_TIMEOUT_MS = 1_200_000;
const BACKOFF = { firstMs: 1_000, maxMs: 300_000 };
/** Milliseconds until a terminating content is reconciled again while members still have contents. */
const AGAIN_MS = 500;

export function makeGroupContentController(
  context: SnapshotterContext,
  cutter: Cutter,
): Controller {
  const { client, informers } = context;
  const ofContents = informers.of(groupContents);
  const writes = new ContentWrites(context, groupContents, GROUP_BEING_CREATED);
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
      return content.status?.volumeGroupSnapshotHandle === undefined
        ? make({ context, cutter, content, writes })
        : writes.settle(content);
    },
  });
}

interface Ending {
  readonly context: SnapshotterContext;
  readonly cutter: Cutter;
  readonly content: VolumeGroupSnapshotContent;
}

interface Acting extends Ending {
  readonly writes: ContentWrites<VolumeGroupSnapshotContent>;
}

async function make(acting: Acting): Promise<Outcome> {
  const { cutter, content, writes } = acting;
  const sources = await sourcesOf(acting);
  if (sources === null) {
    return writes.fail(content, { final: true, message: 'a volume of the group does not exist' });
  }
  const marked = await writes.begin(content);
  const paths = sources.map(({ path }) => path);
  const result = await cutter.cut(paths, cutName(content));
  if (result.kind === 'failed') return writes.fail(marked, result);
  const { cut } = result;
  const creationTime = cut.cutAtMs * 1e6;
  const volumes = content.spec.source.volumeHandles ?? [];
  return writes.record(marked, cut, {
    volumeGroupSnapshotHandle: cutName(content),
    creationTime: timeText(cut.cutAtMs),
    readyToUse: true,
    volumeSnapshotInfoList: volumes.map((volumeHandle, index) => ({
      volumeHandle,
      snapshotHandle: cut.handles[index] ?? '',
      creationTime,
      readyToUse: true,
      restoreSize: sources[index]?.bytes ?? 0,
    })),
  });
}

type Sources = readonly NonNullable<Awaited<ReturnType<typeof sourceOf>>>[];

async function sourcesOf({ context, content }: Ending): Promise<Sources | null> {
  const handles = content.spec.source.volumeHandles ?? [];
  const found = await Promise.all(handles.map((handle) => sourceOf(context.client, handle)));
  const there = found.filter((source) => source !== null);
  return there.length === handles.length && handles.length > 0 ? there : null;
}

function cutName({ metadata }: VolumeGroupSnapshotContent): string {
  return `group-${metadata?.uid ?? ''}`;
}

/** Ends a member of a group. The members share one cut, so it is removed only once no member has a content. */
async function end(acting: Ending): Promise<Outcome> {
  const { context, content } = acting;
  const { client } = context;
  const { items } = await client.list(contents);
  const own = cutName(content);
  if (items.some(({ status }) => status?.volumeGroupSnapshotHandle === own)) {
    return requeueAfter(AGAIN_MS, 'VolumeSnapshotContents of its members still exist');
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

async function removeCut(acting: Ending): Promise<string | null> {
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
