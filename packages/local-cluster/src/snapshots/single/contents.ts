/**
 * Cuts the volume of a VolumeSnapshotContent of our driver, and removes the cut when the content is deleted.
 *
 *  CLUS-C1 The content is marked before a cut begins, until its outcome is known.
 *  CLUS-C2 The name of a cut is derived from the content's uid, so it is the same after a restart.
 *  CLUS-C3 The time of the cut is written once, and never changed.
 *  CLUS-C4 A content is deleted only once nothing of its cut is left, or if its policy is to retain the cut.
 */
import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import { isTerminating, removeFinalizer } from '../../../../../src/controller/finalizers.ts';
import { ownKey } from '../../../../../src/controller/indexes.ts';
import { done, type Outcome, retry } from '../../../../../src/controller/reconcile.ts';
import { watched } from '../../../../../src/controller/source.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import { getOrNull } from '../../../../../src/kube/get-or-null.ts';
import { persistentVolumes } from '../../../../../src/kube/resources.ts';
import { parseQuantity } from '../../../../../src/kube/quantity.ts';
import {
  type SnapshotterContext,
  BEING_CREATED,
  CONTENT_BOUND,
  DRIVER,
  pathOfVolume,
} from '../context.ts';
import {
  contents,
  snapshots,
  type VolumeSnapshotContent,
} from '../../../../../src/kube/snapshots.ts';
import { ContentWrites } from '../content-writes.ts';
import type { Cutter } from '../storage/cutter.ts';
import { handleOf } from './decide-snapshot.ts';

/** Milliseconds for one reconcile, which waits for the cut: a plain copy of much data takes long. */
const PASS_TIMEOUT_MS = 1_200_000;
const BACKOFF = { firstMs: 1_000, maxMs: 300_000 };

export function makeContentController(context: SnapshotterContext, cutter: Cutter): Controller {
  const { client, informers } = context;
  const ofContents = informers.of(contents);
  const writes = new ContentWrites(context, contents, BEING_CREATED);
  return makeController({
    ...context,
    name: 'volume-snapshot-contents',
    passTimeoutMs: PASS_TIMEOUT_MS,
    backoff: BACKOFF,
    sources: [
      watched({ informer: ofContents, keys: ownKey }),
      watched({
        informer: informers.of(snapshots),
        keys: ({ status }) => {
          const name = status?.boundVolumeSnapshotContentName;
          return name === undefined ? [] : [name];
        },
        when: ({ after }) => after === null || isTerminating(after),
      }),
    ],
    reconcile: async (name): Promise<Outcome> => {
      if (ofContents.get(name)?.spec.driver !== DRIVER) return done;
      const content = await getOrNull(client, contents, { name });
      if (content === null) return done;
      if (isTerminating(content)) return end({ context, cutter, content });
      const acting = { context, cutter, content, writes };
      if (content.status?.snapshotHandle !== undefined) return writes.settle(content);
      const given = content.spec.source.snapshotHandle;
      return given === undefined ? make(acting) : adopt(acting, given);
    },
  });
}

interface Ending {
  readonly context: SnapshotterContext;
  readonly cutter: Cutter;
  readonly content: VolumeSnapshotContent;
}

interface Acting extends Ending {
  readonly writes: ContentWrites<VolumeSnapshotContent>;
}

async function make({ context, cutter, content, writes }: Acting): Promise<Outcome> {
  const source = await sourceOf(context.client, content.spec.source.volumeHandle ?? '');
  if (source === null) {
    return writes.fail(content, { final: true, message: 'the volume does not exist' });
  }
  const marked = await writes.begin(content);
  const result = await cutter.cut([source.path], cutName(content));
  if (result.kind === 'failed') return writes.fail(marked, result);
  const { cut } = result;
  return writes.record(marked, cut, {
    snapshotHandle: cut.handles[0] ?? '',
    creationTime: cut.cutAtMs * 1e6,
    readyToUse: true,
    restoreSize: source.bytes,
  });
}

export function cutName({ metadata }: Pick<VolumeSnapshotContent, 'metadata'>): string {
  return `snapshot-${metadata?.uid ?? ''}`;
}

interface VolumeSource {
  readonly path: string;
  readonly bytes: number;
}

/** The volume with this handle, or with this name if it has no handle; null if there is none in a directory. */
export async function sourceOf(client: KubeClient, handle: string): Promise<VolumeSource | null> {
  const { items } = await client.list(persistentVolumes);
  const volume = items.find((each) => handleOf(each) === handle);
  const path = volume === undefined ? null : pathOfVolume(volume);
  if (path === null) return null;
  const size = parseQuantity(volume?.spec?.capacity?.['storage'] ?? '0')?.nanos ?? 0n;
  return { path, bytes: Number(size / 1_000_000_000n) };
}

/** Adopts a cut that existed before its content. */
async function adopt(acting: Acting, handle: string): Promise<Outcome> {
  const { context, cutter, content, writes } = acting;
  if (!(await cutter.isThere(handle))) {
    return writes.fail(content, { final: true, message: `there is no snapshot ${handle}` });
  }
  const status = { ...content.status, snapshotHandle: handle, readyToUse: true };
  await context.client.replaceStatus(contents, { ...content, status });
  return done;
}

async function end({ context, cutter, content }: Ending): Promise<Outcome> {
  const { client } = context;
  if (await isHeld(client, content)) return done;
  const ours = content.spec.deletionPolicy === 'Delete';
  const grouped = content.status?.volumeGroupSnapshotHandle !== undefined;
  if (ours && !grouped) {
    const failure = await removeCut({ context, cutter, content });
    if (failure !== null) return retry(new Error(failure));
  }
  const object = content;
  await removeFinalizer({ client, resource: contents, object, finalizer: CONTENT_BOUND });
  return done;
}

/** True if the snapshot of the content exists and is not terminating: then the content is kept. */
async function isHeld(client: KubeClient, { spec }: VolumeSnapshotContent): Promise<boolean> {
  const { namespace = '', name = '', uid = '' } = spec.volumeSnapshotRef;
  if (uid === '' || name === '') return false;
  const snapshot = await getOrNull(client, snapshots, { namespace, name });
  return snapshot !== null && snapshot.metadata?.uid === uid && !isTerminating(snapshot);
}

/** Removes the cut, even if its handle was never recorded. Returns an error message, or null. */
async function removeCut({ context, cutter, content }: Ending): Promise<string | null> {
  const handle = content.status?.snapshotHandle ?? content.spec.source.snapshotHandle;
  if (handle !== undefined) return cutter.remove(handle);
  const source = await sourceOf(context.client, content.spec.source.volumeHandle ?? '');
  return source === null ? null : cutter.discard([source.path], cutName(content));
}
