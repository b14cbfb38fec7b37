/**
 * Creates the content of each VolumeSnapshot, and copies the content's status to the snapshot. `contents.ts` makes the
 * cut.
 */
import type { PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';

import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import { aboutObject } from '../../../../../src/controller/event-recorder.ts';
import {
  addFinalizer,
  isTerminating,
  removeFinalizer,
} from '../../../../../src/controller/finalizers.ts';
import { ownKey } from '../../../../../src/controller/indexes.ts';
import { timeText } from '../../../../../src/controller/kube-time.ts';
import { parseKey } from '../../../../../src/controller/object-key.ts';
import { done, type Outcome, requeueAfter } from '../../../../../src/controller/reconcile.ts';
import { watched } from '../../../../../src/controller/source.ts';
import { writeStatusIfChanged } from '../../../../../src/controller/write-status.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import { getOrNull, volumeOf } from '../../../../../src/kube/get-or-null.ts';
import { persistentVolumeClaims } from '../../../../../src/kube/resources.ts';
import {
  classOf,
  type SnapshotterContext,
  CLAIM_IS_SOURCE,
  CONTENT_BOUND,
  SNAPSHOT_BOUND,
  MARKS,
} from '../context.ts';
import {
  classes,
  contents,
  IS_DEFAULT_CLASS,
  snapshots,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
} from '../../../../../src/kube/snapshots.ts';
import { contentName, decideSnapshot, type SnapshotStep } from './decide-snapshot.ts';

/** Milliseconds until a snapshot with a missing dependency is reconciled again if no event arrives. */
const AGAIN_MS = 2_000;

export function makeSnapshotController(context: SnapshotterContext): Controller {
  const { client, informers } = context;
  const ofSnapshots = informers.of(snapshots);
  const ofClasses = informers.of(classes);
  return makeController({
    ...context,
    name: 'volume-snapshots',
    sources: [
      watched({ informer: ofSnapshots, keys: ownKey }),
      watched({ informer: informers.of(contents), keys: snapshotKey }),
    ],
    reconcile: async (key): Promise<Outcome> => {
      if (ofSnapshots.get(key) === undefined) return done;
      const snapshot = await getOrNull(client, snapshots, parseKey(key));
      if (snapshot === null) return done;
      const claim = await claimOf(client, snapshot);
      const volume = await volumeOf(client, claim);
      const step = decideSnapshot({
        snapshot,
        snapshotClass: classOf(snapshot.spec?.volumeSnapshotClassName, ofClasses, IS_DEFAULT_CLASS),
        claim,
        volume,
        content: await getOrNull(client, contents, { name: contentName(snapshot) }),
      });
      return new Pass(context, snapshot).carryOut(step);
    },
  });
}

function snapshotKey({ spec }: VolumeSnapshotContent): readonly string[] {
  const { namespace = '', name = '' } = spec.volumeSnapshotRef;
  return [`${namespace}/${name}`];
}

async function claimOf(
  client: KubeClient,
  { metadata, spec }: VolumeSnapshot,
): Promise<PersistentVolumeClaim | null> {
  const name = spec?.source?.persistentVolumeClaimName;
  if (name === undefined) return null;
  return getOrNull(client, persistentVolumeClaims, { namespace: metadata?.namespace ?? '', name });
}

class Pass {
  readonly #context: SnapshotterContext;
  readonly #snapshot: VolumeSnapshot;

  constructor(context: SnapshotterContext, snapshot: VolumeSnapshot) {
    this.#context = context;
    this.#snapshot = snapshot;
  }

  async carryOut(step: SnapshotStep): Promise<Outcome> {
    switch (step.kind) {
      case 'nothing':
      case 'waitForContent':
        return done;
      case 'fail':
        return this.#fail(step.message);
      case 'createContent':
        return this.#create(step);
      case 'claimContent':
        return this.#claim(step.content);
      case 'report':
        return this.#report(step.status);
      case 'deleteContent':
        return this.#deleteContent(step.content);
      case 'release':
        return this.#release();
      default:
        return step satisfies never;
    }
  }

  async #deleteContent({ metadata = {} }: VolumeSnapshotContent): Promise<Outcome> {
    const { name = '', uid = '' } = metadata;
    await this.#context.client.delete(contents, { name }, { preconditions: { uid } });
    return done;
  }

  async #fail(message: string): Promise<Outcome> {
    const { clock } = this.#context.platform;
    const known = this.#snapshot.status?.error;
    if (known?.message !== message) {
      this.#recordEvent('Warning', 'SnapshotContentCreationFailed', message);
      const error = { time: timeText(clock.nowMs()), message };
      await this.#write({ ...this.#snapshot.status, readyToUse: false, error });
    }
    return requeueAfter(AGAIN_MS, message);
  }

  /** Sets the finalizers of claim and snapshot before it creates the content. */
  async #create(step: Extract<SnapshotStep, { kind: 'createContent' }>): Promise<Outcome> {
    const { client } = this.#context;
    const resource = persistentVolumeClaims;
    await addFinalizer({ client, resource, object: step.claim, finalizer: CLAIM_IS_SOURCE });
    const object = this.#snapshot;
    await addFinalizer({ client, resource: snapshots, object, finalizer: SNAPSHOT_BOUND });
    const metadata = { ...step.content.metadata, finalizers: [CONTENT_BOUND] };
    await client.create(contents, { ...step.content, metadata });
    const { namespace = '', name = '' } = object.metadata ?? {};
    const message = `Waiting for a snapshot ${namespace}/${name} to be created by the CSI driver.`;
    this.#recordEvent('Normal', 'CreatingSnapshot', message);
    return done;
  }

  async #claim(content: VolumeSnapshotContent): Promise<Outcome> {
    const { client } = this.#context;
    const object = this.#snapshot;
    await addFinalizer({ client, resource: snapshots, object, finalizer: SNAPSHOT_BOUND });
    const { uid = '' } = object.metadata ?? {};
    const volumeSnapshotRef = { ...content.spec.volumeSnapshotRef, uid };
    await client.replace(contents, { ...content, spec: { ...content.spec, volumeSnapshotRef } });
    return done;
  }

  async #report(status: NonNullable<VolumeSnapshot['status']>): Promise<Outcome> {
    await this.#write(status);
    this.#reportProgress(status);
    await this.#copyMarks(status.boundVolumeSnapshotContentName ?? '');
    if (status.creationTime !== undefined) await this.#freeClaim();
    return done;
  }

  #reportProgress({ creationTime, readyToUse }: NonNullable<VolumeSnapshot['status']>): void {
    const { status: before = {}, metadata = {} } = this.#snapshot;
    const what = `Snapshot ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
    if (before.creationTime === undefined && creationTime !== undefined) {
      this.#recordEvent(
        'Normal',
        'SnapshotCreated',
        `${what} was successfully created by the CSI driver.`,
      );
    }
    if (before.readyToUse !== true && readyToUse === true) {
      this.#recordEvent('Normal', 'SnapshotReady', `${what} is ready to use.`);
    }
  }

  /**
   * Copies the annotations about the cut to the snapshot, because users of snapshots often cannot read
   * VolumeSnapshotContents.
   */
  async #copyMarks(name: string): Promise<void> {
    const { client } = this.#context;
    const content = await getOrNull(client, contents, { name });
    const known = this.#snapshot.metadata?.annotations ?? {};
    const marks = Object.fromEntries(
      MARKS.flatMap((mark) => {
        const value = content?.metadata?.annotations?.[mark];
        return value === undefined || known[mark] === value ? [] : [[mark, value]];
      }),
    ) as Record<string, string>;
    if (Object.keys(marks).length === 0) return;
    const { namespace = '', name: own = '' } = this.#snapshot.metadata ?? {};
    const body = { metadata: { annotations: marks } };
    await client.patch(snapshots, { namespace, name: own }, { type: 'merge', body });
  }

  async #release(): Promise<Outcome> {
    await this.#freeClaim();
    const { client } = this.#context;
    const object = this.#snapshot;
    await removeFinalizer({ client, resource: snapshots, object, finalizer: SNAPSHOT_BOUND });
    return done;
  }

  /** Removes the finalizer of the claim, unless another snapshot of the claim is in progress. */
  async #freeClaim(): Promise<void> {
    const { client } = this.#context;
    const object = await claimOf(client, this.#snapshot);
    if (object?.metadata?.finalizers?.includes(CLAIM_IS_SOURCE) !== true) return;
    const { namespace = '', uid } = this.#snapshot.metadata ?? {};
    const { items } = await client.list(snapshots, { namespace });
    const others = items.some(
      (other) =>
        other.metadata?.uid !== uid &&
        other.spec?.source?.persistentVolumeClaimName === object.metadata?.name &&
        other.status?.creationTime === undefined &&
        !isTerminating(other),
    );
    const resource = persistentVolumeClaims;
    if (!others) await removeFinalizer({ client, resource, object, finalizer: CLAIM_IS_SOURCE });
  }

  async #write(status: NonNullable<VolumeSnapshot['status']>): Promise<void> {
    const { client } = this.#context;
    const { namespace = '', name = '' } = this.#snapshot.metadata ?? {};
    const object = await client.get(snapshots, { namespace, name });
    await writeStatusIfChanged({ client, resource: snapshots, object, status });
  }

  #recordEvent(type: 'Normal' | 'Warning', reason: string, message: string): void {
    const about = aboutObject(snapshots, this.#snapshot);
    this.#context.recorder.record({ about, type, reason, message });
  }
}
