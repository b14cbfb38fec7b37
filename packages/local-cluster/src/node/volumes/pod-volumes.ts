/**
 * Maintains the volumes of one pod as directories on this machine.
 *
 * A volume is created when a container first needs it. It is filled from the API, updated when that content changes,
 * and removed with the pod. The content of a hostPath or of a claim's volume is never removed.
 *
 * A change of content may coincide with the start of a container, so writers take turns. Each reads the content in its
 * turn: so none writes older content over newer.
 */
import type { Volume } from 'kubernetes-types/core/v1.js';

import type { KubeClient } from '../../../../../src/kube/client.ts';
import { StartError } from '../../../../../src/platform/container-runtime.ts';
import { errorText } from '../../../../../src/platform/error-text.ts';
import type { Files } from '../../../../../src/platform/platform.ts';
import type { Trees } from '../../../../../src/platform/trees.ts';
import { claimVolume, hostPath, SHARED_MODE } from './host-volumes.ts';
import { type VolumeFacts, type VolumeFile, volumeFiles } from './volume-files.ts';
import { codeOf } from '../../../../../src/platform/posix-error.ts';

interface VolumeWriting {
  readonly files: Files;
  readonly trees: Trees;
  /** Directory of the volume. */
  readonly folder: string;
  /** Id of a group that may read the files too; null to leave group and mode unchanged. */
  readonly group: number | null;
}

const FOLDER_MODE = 0o755;
const DATA = '..data';
const GROUP_READS = 0o040;

/**
 * Replaces the files of a volume atomically. The new files are in a new directory, and replacing the link `..data`
 * switches to that directory. Programs may watch the link, as on a real node.
 *
 *     key -> ..data/key            the path that the container reads
 *     ..data -> ..2                the link that is replaced
 *     ..2/key                      the content
 */
export async function writeVolume(
  writing: VolumeWriting,
  content: readonly VolumeFile[],
): Promise<void> {
  const { files, trees, folder } = writing;
  await files.makeFolder(folder, FOLDER_MODE);
  const before = await files.list(folder);
  const next = nextFolder(before);
  await files.makeFolder(`${folder}/${next}`, FOLDER_MODE);
  for (const file of content) await writeFile(writing, `${folder}/${next}`, file);
  await files.remove(`${folder}/${DATA}_next`);
  await trees.link(next, `${folder}/${DATA}_next`);
  await files.rename(`${folder}/${DATA}_next`, `${folder}/${DATA}`);
  const names = new Set(content.map(({ path }) => path.split('/')[0] ?? ''));
  for (const name of names) await linkOnce(trees, `${DATA}/${name}`, `${folder}/${name}`);
  for (const name of before) {
    if (name !== DATA && !names.has(name)) await files.remove(`${folder}/${name}`);
  }
}

/**
 * Name of the next content directory, such as "..3" after "..2". Keys of ConfigMaps and Secrets never begin with two
 * dots.
 */
function nextFolder(names: readonly string[]): string {
  const numbers = names.map((name) => Number(/^\.\.(\d+)$/.exec(name)?.[1] ?? 0));
  return `..${Math.max(0, ...numbers) + 1}`;
}

async function writeFile(
  { files, group }: VolumeWriting,
  folder: string,
  { path, content, mode }: VolumeFile,
): Promise<void> {
  const target = `${folder}/${path}`;
  await files.makeFolder(target.slice(0, target.lastIndexOf('/')), FOLDER_MODE);
  const like = group === null ? { mode } : { mode: mode | GROUP_READS, gid: group };
  await files.replace(target, latin1(content), like);
}

async function linkOnce(trees: Trees, target: string, path: string): Promise<void> {
  try {
    await trees.link(target, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

const PIECE_BYTES = 8_192;

function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    text += String.fromCharCode(...bytes.subarray(start, start + PIECE_BYTES));
  }
  return text;
}

export interface PodVolumesOptions {
  readonly files: Files;
  readonly trees: Trees;
  readonly client: KubeClient;
  /** Directory of the pod on this machine. */
  readonly podFolder: string;
  /** True if this process may give files to the group `fsGroup`. */
  readonly ownsFiles: boolean;
}

export interface MountedVolume {
  /** Path of the directory or file on this machine. */
  readonly path: string;
  readonly readOnly: boolean;
  /** True if directories may be created in the volume for the subPath of a mount. */
  readonly growable: boolean;
}

export interface Mounted<F extends VolumeFacts> {
  readonly facts: F;
  /** Volumes by name. */
  readonly volumes: ReadonlyMap<string, MountedVolume>;
}

export class PodVolumes {
  readonly #options: PodVolumesOptions;
  /** Content of each volume as it was last written, so that equal content is not written again; by volume name. */
  readonly #written = new Map<string, string>();
  #turn: Promise<unknown> = Promise.resolve();
  #mounted = false;
  #closed = false;

  constructor(options: PodVolumesOptions) {
    this.#options = options;
  }

  /** Rejects with a `StartError` (FailedMount) if a volume is not available. */
  mount<F extends VolumeFacts>(read: () => Promise<F>): Promise<Mounted<F>> {
    return this.#inTurn(async () => {
      const facts = await read();
      const volumes = new Map<string, MountedVolume>();
      for (const volume of facts.pod.spec?.volumes ?? []) {
        try {
          volumes.set(volume.name, await this.#mount(volume, facts));
        } catch (error) {
          const failure = `MountVolume.SetUp failed for volume "${volume.name}" : ${errorText(error)}`;
          throw new StartError('FailedMount', failure);
        }
      }
      this.#mounted = true;
      return { facts, volumes };
    });
  }

  /**
   * Updates the files of the volumes. Call it when content in the API has changed. Before the first mount nothing is
   * written.
   */
  refresh(read: () => Promise<VolumeFacts>): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#mounted || this.#closed) return;
      const facts = await read();
      for (const volume of facts.pod.spec?.volumes ?? []) await this.#rewrite(volume, facts);
    });
  }

  /**
   * Ends the updates. Call it before the directory of the pod is removed. Resolves once no volume is written any more.
   */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#turn;
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

  /** Writes a volume again. One whose ConfigMap or Secret was deleted meanwhile keeps its content. */
  async #rewrite(volume: Volume, facts: VolumeFacts): Promise<void> {
    const content = contentOrNothing(volume, facts);
    if (content !== null) await this.#write(volume.name, content, facts);
  }

  async #write(name: string, content: readonly VolumeFile[], { pod }: VolumeFacts): Promise<void> {
    const reported = content.map(({ path, mode, content: bytes }) => [path, mode, [...bytes]]);
    const signature = JSON.stringify(reported);
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
    `volume "${volume.name}" has a type that this node does not support: ${kinds.join(', ')}. It supports emptyDir, hostPath, configMap, secret, downwardAPI, projected and persistentVolumeClaim`,
  );
}
