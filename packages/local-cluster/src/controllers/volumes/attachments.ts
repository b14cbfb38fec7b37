/**
 * Maintains one VolumeAttachment for each bound volume and each node whose pods use the volume.
 *
 * A directory needs no attaching, but clients read VolumeAttachments to see whether a volume is in use.
 */
import type { PersistentVolume, PersistentVolumeClaim, Pod } from 'kubernetes-types/core/v1.js';
import type { VolumeAttachment } from 'kubernetes-types/storage/v1.js';

import { type Controller, makeController } from '../../../../../src/controller/controller.ts';
import { done, type Outcome } from '../../../../../src/controller/reconcile.ts';
import { watched } from '../../../../../src/controller/source.ts';
import { orNull } from '../../../../../src/kube/api-error.ts';
import type { KubeClient } from '../../../../../src/kube/client.ts';
import {
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  volumeAttachments,
} from '../../../../../src/kube/resources.ts';
import { sha256 } from '../../../../../src/platform/digests.ts';
import type { ControllerContext } from '../context.ts';
import { claimKeys, holds } from './claims.ts';
import { DRIVER } from './bind.ts';

/** The controller for VolumeAttachments. Its keys are the names of volumes. */
export function makeAttachmentController(context: ControllerContext): Controller {
  const { client, informers } = context;
  const claims = informers.of<PersistentVolumeClaim>(persistentVolumeClaims, {
    indexes: { volume: volumeNames },
  });
  const ofPods = informers.of<Pod>(pods, { indexes: { claim: claimKeys } });
  const volumes = informers.of(persistentVolumes);
  const attachments = informers.of<VolumeAttachment>(volumeAttachments, {
    indexes: { volume: attachedVolume },
  });
  const nodesOf = (volume: string): readonly string[] =>
    claims
      .byIndex('volume', volume)
      .flatMap(({ metadata }) =>
        ofPods.byIndex('claim', `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`),
      )
      .filter(holds)
      .flatMap(({ spec }) => spec?.nodeName ?? []);
  return makeController({
    ...context,
    name: 'attachments',
    sources: [
      watched({ informer: claims, keys: volumeNames }),
      watched({
        informer: ofPods,
        keys: (pod) => claimKeys(pod).flatMap((key) => volumeNames(claims.get(key) ?? {})),
      }),
      watched({ informer: attachments, keys: attachedVolume }),
    ],
    reconcile: async (name): Promise<Outcome> => {
      const volume = volumes.get(name);
      const wanted = new Set(volume === undefined ? [] : nodesOf(name));
      const ours = attachments.byIndex('volume', name).filter(isOurs);
      for (const attachment of ours) {
        if (!wanted.has(attachment.spec.nodeName)) await detach(client, attachment);
      }
      for (const node of wanted) {
        const known = ours.find(({ spec }) => spec.nodeName === node);
        await attach(client, known ?? attachmentOf(name, { volume, node }));
      }
      return done;
    },
  });
}

function isOurs({ spec }: VolumeAttachment): boolean {
  return spec.attacher === DRIVER;
}

async function detach(client: KubeClient, { metadata }: VolumeAttachment): Promise<void> {
  const key = { name: metadata?.name ?? '' };
  await orNull(client.delete(volumeAttachments, key), 'NotFound');
}

async function attach(client: KubeClient, attachment: VolumeAttachment): Promise<void> {
  if (attachment.status?.attached === true) return;
  const made =
    attachment.metadata?.uid === undefined
      ? await orNull(client.create(volumeAttachments, attachment), 'AlreadyExists')
      : attachment;
  if (made === null) return;
  await client.replaceStatus(volumeAttachments, { ...made, status: { attached: true } });
}

function volumeNames({ spec }: PersistentVolumeClaim): readonly string[] {
  return spec?.volumeName === undefined ? [] : [spec.volumeName];
}

function attachedVolume({ spec }: VolumeAttachment): readonly string[] {
  return spec.source.persistentVolumeName === undefined ? [] : [spec.source.persistentVolumeName];
}

function attachmentOf(
  name: string,
  of: { readonly volume: PersistentVolume | undefined; readonly node: string },
): VolumeAttachment {
  return {
    metadata: { name: attachmentName(of.volume?.metadata?.uid ?? '', of.node) },
    spec: { attacher: DRIVER, nodeName: of.node, source: { persistentVolumeName: name } },
  };
}

/**
 * The name of the attachment of a volume to a node. Like Kubernetes, it has a digest instead of the node's name, which
 * may be as long as the whole name may be. Pure.
 */
export function attachmentName(volumeUid: string, node: string): string {
  return `csi-${sha256(`${volumeUid}/${node}`)}`;
}
