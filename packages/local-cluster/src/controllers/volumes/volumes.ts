/** Sets the phase of volumes, and reclaims volumes whose claim was deleted. */
import type { PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';

import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import { aboutObject } from '../../../../../src/controller/event-recorder.ts';
import { ownKey } from '../../../../../src/controller/indexes.ts';
import { done, type Outcome } from '../../../../../src/controller/reconcile.ts';
import { watched } from '../../../../../src/controller/source.ts';
import { writeStatusIfChanged } from '../../../../../src/controller/write-status.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import { getOrNull } from '../../../../../src/kube/get-or-null.ts';
import { persistentVolumeClaims, persistentVolumes } from '../../../../../src/kube/resources.ts';
import { pathOfVolume } from '../../snapshots/context.ts';
import type { ControllerContext } from '../context.ts';
import { DRIVER, PROVISIONED_BY } from './bind.ts';

export function makeVolumeController(context: ControllerContext): Controller {
  const { client, informers } = context;
  const volumes = informers.of(persistentVolumes);
  const claims = informers.of(persistentVolumeClaims);
  return makeController({
    ...context,
    name: 'volumes',
    sources: [
      watched({ informer: volumes, keys: ownKey }),
      watched({
        informer: claims,
        keys: ({ spec }) => (spec?.volumeName === undefined ? [] : [spec.volumeName]),
        when: ({ after }) => after === null,
      }),
    ],
    reconcile: async (name): Promise<Outcome> => {
      const volume = volumes.get(name);
      if (volume === undefined) return done;
      const step = decideVolume({ volume, claim: await claimOf(client, volume) });
      if (step.kind === 'reclaim') {
        await reclaim(context, volume);
        return done;
      }
      const { phase, message } = step;
      const { message: _before, ...rest } = volume.status ?? {};
      const status = { ...rest, phase, ...(message === undefined ? {} : { message }) };
      const failed = phase === 'Failed' && volume.status?.phase !== 'Failed';
      if (failed && message !== undefined) {
        const about = aboutObject(persistentVolumes, volume);
        context.recorder.record({ about, type: 'Warning', reason: 'VolumeFailedDelete', message });
      }
      await writeStatusIfChanged({ client, resource: persistentVolumes, object: volume, status });
      return done;
    },
  });
}

/** Reads from the server, because the data of the volume is deleted if the claim does not exist. */
async function claimOf(
  client: KubeClient,
  { spec }: PersistentVolume,
): Promise<PersistentVolumeClaim | null> {
  const { namespace = '', name = '', uid = '' } = spec?.claimRef ?? {};
  if (uid === '') return null;
  return getOrNull(client, persistentVolumeClaims, { namespace, name });
}

/** Deletes the volume. Its data is deleted only if it is in our own directory. */
async function reclaim(
  { client, platform, stateFolder }: ControllerContext,
  volume: PersistentVolume,
): Promise<void> {
  const { name = '', uid = '' } = volume.metadata ?? {};
  const path = pathOfVolume(volume);
  if (path === `${stateFolder}/volumes/${name}`) await platform.files.remove(path);
  await client.delete(persistentVolumes, { name }, { preconditions: { uid } });
}

/** Parameters of the decision about a volume's next step. The claim has just been read from the server. */
interface VolumeFacts {
  readonly volume: PersistentVolume;
  /** The claim that the claimRef names; null if it does not exist. */
  readonly claim: PersistentVolumeClaim | null;
}

type VolumeStep =
  | { readonly kind: 'phase'; readonly phase: string; readonly message?: string }
  /** Delete the data of the volume, then the volume. */
  | { readonly kind: 'reclaim' };

function decideVolume({ volume, claim }: VolumeFacts): VolumeStep {
  const reference = volume.spec?.claimRef;
  if (reference === undefined || (reference.uid ?? '') === '') {
    return { kind: 'phase', phase: 'Available' };
  }
  if (claim === null || claim.metadata?.uid !== reference.uid) return release(volume);
  return { kind: 'phase', phase: 'Bound' };
}

function release(volume: PersistentVolume): VolumeStep {
  const { metadata, status } = volume;
  const policy = volume.spec?.persistentVolumeReclaimPolicy;
  const released: VolumeStep = { kind: 'phase', phase: 'Released' };
  if (policy === 'Retain') return released;
  // The phase Released is written before the volume is deleted, so that a client that watches sees it.
  if (status?.phase !== 'Released' && status?.phase !== 'Failed') return released;
  return unclaimed(policy, metadata?.annotations?.[PROVISIONED_BY]);
}

function unclaimed(policy: string | undefined, maker: string | undefined): VolumeStep {
  if (policy === 'Delete' && maker === DRIVER) return { kind: 'reclaim' };
  if (maker !== undefined) return { kind: 'phase', phase: 'Released' };
  const message = `the volume was not created by ${DRIVER}, which therefore does not delete it: delete it by hand`;
  return { kind: 'phase', phase: 'Failed', message };
}
