/**
 * The volumes of one pod as folders on this machine: made when a container first needs them, filled where
 * the API has their content, filled anew when that has changed, removed with the pod. What lies in a
 * hostPath or a claim's volume is never removed.
 *
 * One writer at a time: a container that starts and a change of content may meet.
 */
import type { Volume } from 'kubernetes-types/core/v1.js';

import type { KubeClient } from '../../../../../src/kube/client.ts';
import { StartError } from '../../../../../src/platform/container-runtime.ts';
import type { Files } from '../../../../../src/platform/platform.ts';
import type { Trees } from '../../../../../src/platform/trees.ts';
import { whyNot } from '../why-not.ts';
import { claimVolume, hostPath, SHARED_MODE } from './host-volumes.ts';
import { type VolumeFacts, type VolumeFile, volumeFiles } from './volume-files.ts';
import { writeVolume } from './write-volume.ts';

export interface PodVolumesOptions {
  readonly files: Files;
  readonly trees: Trees;
  readonly client: KubeClient;
  /** The pod's own folder on this machine. */
  readonly podFolder: string;
  /** Files can be given to the group that `fsGroup` names. */
  readonly ownsFiles: boolean;
}

export interface MountedVolume {
  /** The folder or file on this machine. */
  readonly path: string;
  readonly readOnly: boolean;
  /** Folders below it may be made for a mount's subPath. */
  readonly growable: boolean;
}

export class PodVolumes {
  readonly #options: PodVolumesOptions;
  /** What each volume's files were when they were written last. */
  readonly #written = new Map<string, string>();
  #turn: Promise<unknown> = Promise.resolve();
  #mounted = false;

  constructor(options: PodVolumesOptions) {
    this.#options = options;
  }

  /** By the volume's name. Rejects with a `StartError` of a failed mount where one cannot be had. */
  mount(facts: VolumeFacts): Promise<ReadonlyMap<string, MountedVolume>> {
    return this.#inTurn(async () => {
      const volumes = new Map<string, MountedVolume>();
      for (const volume of facts.pod.spec?.volumes ?? []) {
        try {
          volumes.set(volume.name, await this.#mount(volume, facts));
        } catch (error) {
          const failure = `MountVolume.SetUp failed for volume "${volume.name}" : ${whyNot(error)}`;
          throw new StartError('FailedMount', failure);
        }
      }
      this.#mounted = true;
      return volumes;
    });
  }

  /** The content has changed. A volume that no container has asked for yet stays as it is. */
  refresh(facts: VolumeFacts): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#mounted) return;
      for (const volume of facts.pod.spec?.volumes ?? []) await this.#rewrite(volume, facts);
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  async #mount(volume: Volume, facts: VolumeFacts): Promise<MountedVolume> {
    const { files, client } = this.#options;
    const { name, hostPath: onHost, persistentVolumeClaim: claim } = volume;
    if (onHost !== undefined) {
      return { path: await hostPath(onHost, files), readOnly: false, growable: true };
    }
    if (claim !== undefined) {
      const namespace = facts.pod.metadata?.namespace ?? '';
      return { ...(await claimVolume(claim, { files, client, namespace })), growable: true };
    }
    const filled = { path: this.#folderOf(name), readOnly: true, growable: false };
    if (this.#written.has(name)) {
      await this.#rewrite(volume, facts);
      return filled;
    }
    const content = volumeFiles(volume, facts);
    if (content !== null) {
      await this.#write(name, content, facts);
      return filled;
    }
    refuseUnknown(volume);
    await files.makeFolder(this.#folderOf(name), SHARED_MODE);
    return { path: this.#folderOf(name), readOnly: false, growable: true };
  }

  /** One whose object is gone meanwhile stays as it is. */
  async #rewrite(volume: Volume, facts: VolumeFacts): Promise<void> {
    const content = contentOrNothing(volume, facts);
    if (content !== null) await this.#write(volume.name, content, facts);
  }

  async #write(name: string, content: readonly VolumeFile[], { pod }: VolumeFacts): Promise<void> {
    const told = content.map(({ path, mode, content: bytes }) => [path, mode, [...bytes]]);
    const signature = JSON.stringify(told);
    if (this.#written.get(name) === signature) return;
    const { ownsFiles } = this.#options;
    const group = (ownsFiles ? pod.spec?.securityContext?.fsGroup : undefined) ?? null;
    await writeVolume({ ...this.#options, folder: this.#folderOf(name), group }, content);
    this.#written.set(name, signature);
  }

  #folderOf(volume: string): string {
    return `${this.#options.podFolder}/volumes/${volume}`;
  }
}

function contentOrNothing(volume: Volume, facts: VolumeFacts): readonly VolumeFile[] | null {
  try {
    return volumeFiles(volume, facts);
  } catch (error) {
    if (error instanceof StartError) return null;
    throw error;
  }
}

function refuseUnknown(volume: Volume): void {
  const kinds = Object.keys(volume).filter((field) => field !== 'name');
  if (volume.emptyDir !== undefined || kinds.length === 0) return;
  throw new StartError(
    'FailedMount',
    `volume "${volume.name}" is of a kind that this node does not have: ${kinds.join(', ')}. It has emptyDir, hostPath, configMap, secret, downwardAPI, projected and persistentVolumeClaim`,
  );
}
