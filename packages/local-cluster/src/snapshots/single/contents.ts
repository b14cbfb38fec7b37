/**
 * Cuts the volume of a VolumeSnapshotContent of our driver, and removes the cut when the content is deleted.
 *
 *  CLUS-C1 The content is marked before a cut begins, until its outcome is known.
 *  CLUS-C2 The name of a cut derives from the content's uid: after a restart, it is the same.
 *  CLUS-C3 The time of the cut is written once, and never changed.
 *  CLUS-C4 A content is deleted only once nothing of its cut is left, or if its policy is to retain the cut.
 */
import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import { isTerminating, removeFinalizer } from '../../../../../src/controller/finalizers.ts';
import { ownKey } from '../../../../../src/controller/indexes.ts';
import { timeText } from '../../../../../src/controller/kube-time.ts';
import { done, type Outcome, retry } from '../../../../../src/controller/reconcile.ts';
import { watched } from '../../../../../src/controller/source.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import { getOrNull } from '../../../../../src/kube/get-or-null.ts';
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { persistentVolumes } from '../../../../../src/kube/resources.ts';
import { parseQuantity } from '../../../../../src/kube/quantity.ts';
import {
  type SnapshotterContext,
  BEING_CREATED,
  CONTENT_BOUND,
  DRIVER,
  marksOf,
  pathOfVolume,
} from '../context.ts';
import {
  contents,
  snapshots,
  type VolumeSnapshotContent,
} from '../../../../../src/kube/snapshots.ts';
import type { Cut, Cutter } from '../storage/cutter.ts';
import { handleOf } from './decide-snapshot.ts';

/** A plain copy of much data takes long, and the reconcile waits for it. */
const PASS_TIMEOUT_MS = 1_200_000;
const BACKOFF = { firstMs: 1_000, maxMs: 300_000 };

export function makeContentController(context: SnapshotterContext, cutter: Cutter): Controller {
  const { client, informers } = context;
  const ofContents = informers.of(contents);
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
      if (content.status?.snapshotHandle !== undefined) return settle(client, content);
      const given = content.spec.source.snapshotHandle;
      if (given !== undefined) return adopt({ context, cutter, content }, given);
      return make({ context, cutter, content });
    },
  });
}

interface Acting {
  readonly context: SnapshotterContext;
  readonly cutter: Cutter;
  readonly content: VolumeSnapshotContent;
}

async function make({ context, cutter, content }: Acting): Promise<Outcome> {
  const { client } = context;
  const source = await sourceOf(client, content.spec.source.volumeHandle ?? '');
  if (source === null) {
    return fail({ context, cutter, content }, { final: true, message: 'the volume is not there' });
  }
  const marked = await annotate(client, content, { [BEING_CREATED]: 'yes' });
  const result = await cutter.cut([source.path], cutName(content));
  if (result.kind === 'failed') return fail({ context, cutter, content: marked }, result);
  await record({ context, cutter, content: marked }, { cut: result.cut, bytes: source.bytes });
  return done;
}

export function cutName({ metadata }: Pick<VolumeSnapshotContent, 'metadata'>): string {
  return `snapshot-${metadata?.uid ?? ''}`;
}

interface VolumeSource {
  readonly path: string;
  readonly bytes: number;
}

/** The volume by its handle, or by its name if it has none; null: no volume in a directory has it. */
export async function sourceOf(client: KubeClient, handle: string): Promise<VolumeSource | null> {
  const { items } = await client.list(persistentVolumes);
  const volume = items.find((each) => handleOf(each) === handle);
  const path = volume === undefined ? null : pathOfVolume(volume);
  if (path === null) return null;
  const size = parseQuantity(volume?.spec?.capacity?.['storage'] ?? '0')?.nanos ?? 0n;
  return { path, bytes: Number(size / 1_000_000_000n) };
}

async function record(
  { context: { client }, content }: Acting,
  { cut, bytes }: { readonly cut: Cut; readonly bytes: number },
): Promise<void> {
  const marks = marksOf(cut);
  const marked = await annotate(client, content, marks);
  const reported = await client.replaceStatus(contents, {
    ...marked,
    status: {
      snapshotHandle: cut.handles[0] ?? '',
      creationTime: cut.cutAtMs * 1e6,
      readyToUse: true,
      restoreSize: bytes,
    },
  });
  await annotate(client, reported, { [BEING_CREATED]: null });
}

/** Removes the mark that a restart after the write of the status has left. */
async function settle(client: KubeClient, content: VolumeSnapshotContent): Promise<Outcome> {
  if (content.metadata?.annotations?.[BEING_CREATED] !== undefined) {
    await annotate(client, content, { [BEING_CREATED]: null });
  }
  return done;
}

/** Adopts a snapshot that existed before its content. */
async function adopt(acting: Acting, handle: string): Promise<Outcome> {
  const { context, cutter, content } = acting;
  if (!(await cutter.isThere(handle))) {
    return fail(acting, { final: true, message: `there is no snapshot ${handle}` });
  }
  const status = { ...content.status, snapshotHandle: handle, readyToUse: true };
  await context.client.replaceStatus(contents, { ...content, status });
  return done;
}

interface Failure {
  readonly final: boolean;
  readonly message: string;
}

/** An unfinished cut keeps its mark. Either failure is retried while the content exists. */
async function fail(acting: Acting, { final, message }: Failure): Promise<Outcome> {
  const { context, content } = acting;
  const { client, platform } = context;
  const settled = final ? await annotate(client, content, { [BEING_CREATED]: null }) : content;
  if (settled.status?.error?.message !== message) {
    const error = { time: timeText(platform.clock.nowMs()), message };
    const status = { ...settled.status, readyToUse: false, error };
    await client.replaceStatus(contents, { ...settled, status });
  }
  return retry(new Error(message));
}

async function end({ context, cutter, content }: Acting): Promise<Outcome> {
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

/** The content of a snapshot that is not terminating is kept. */
async function isHeld(client: KubeClient, { spec }: VolumeSnapshotContent): Promise<boolean> {
  const { namespace = '', name = '', uid = '' } = spec.volumeSnapshotRef;
  if (uid === '' || name === '') return false;
  const snapshot = await getOrNull(client, snapshots, { namespace, name });
  return snapshot !== null && snapshot.metadata?.uid === uid && !isTerminating(snapshot);
}

/** Also removes a cut whose handle was never recorded. */
async function removeCut({ context, cutter, content }: Acting): Promise<string | null> {
  const handle = content.status?.snapshotHandle ?? content.spec.source.snapshotHandle;
  if (handle !== undefined) return cutter.remove(handle);
  const source = await sourceOf(context.client, content.spec.source.volumeHandle ?? '');
  return source === null ? null : cutter.discard([source.path], cutName(content));
}

/** A null value removes an annotation. */
async function annotate(
  client: KubeClient,
  { metadata = {} }: VolumeSnapshotContent,
  annotations: JsonObject,
): Promise<VolumeSnapshotContent> {
  const { name = '', uid = '' } = metadata;
  const body = { metadata: { uid, annotations } };
  return client.patch(contents, { name }, { type: 'merge', body });
}
