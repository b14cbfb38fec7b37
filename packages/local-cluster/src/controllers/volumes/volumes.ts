/** The phases of volumes, and what becomes of one whose claim has gone. */
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
import { pathOfVolume } from '../../snapshots/volume-path.ts';
import type { ControllerContext } from '../context.ts';
import { decideVolume } from './decide-volume.ts';

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

/** From the server: data is deleted because of the answer. */
async function claimOf(
  client: KubeClient,
  { spec }: PersistentVolume,
): Promise<PersistentVolumeClaim | null> {
  const { namespace = '', name = '', uid = '' } = spec?.claimRef ?? {};
  if (uid === '') return null;
  return getOrNull(client, persistentVolumeClaims, { namespace, name });
}

/** Only what was made below our own folder goes from the disk. */
async function reclaim(
  { client, platform, stateFolder }: ControllerContext,
  volume: PersistentVolume,
): Promise<void> {
  const { name = '', uid = '' } = volume.metadata ?? {};
  const path = pathOfVolume(volume);
  if (path === `${stateFolder}/volumes/${name}`) await platform.files.remove(path);
  await client.delete(persistentVolumes, { name }, { preconditions: { uid } });
}
