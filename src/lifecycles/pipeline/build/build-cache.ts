/**
 * Which images have been built of what: a file beside the configuration, over sessions. An image gets in only when its
 * hooks after the build have succeeded too (PIPE-CASE20): a hook that failed is due again.
 */
import { sha256 } from '../../../platform/digests.ts';
import type { Files } from '../../../platform/platform.ts';
import type { Artifact } from '../config/model.ts';
import { folderOf } from '../config/paths.ts';
import type { BuildArgs } from './build-args.ts';
import { digestFiles } from './file-digest.ts';

/** The oldest are dropped. */
export const MAX_ENTRIES = 1_000;
const MODE = 0o644;
const FOLDER_MODE = 0o755;

export interface CachedImage {
  readonly id: string;
  /** As it was brought to where it is needed; with the registry's digest, where that is known. */
  readonly reference: string;
  readonly pushed: boolean;
}

export class BuildCache {
  readonly #path: string;
  readonly #files: Files;
  readonly #images: Map<string, CachedImage>;
  #saving: Promise<void> = Promise.resolve();

  private constructor(path: string, files: Files, images: Map<string, CachedImage>) {
    this.#path = path;
    this.#files = files;
    this.#images = images;
  }

  /** One that is not there, or damaged, is empty: everything is built again. */
  static async open(path: string, files: Files): Promise<BuildCache> {
    const text = await files.read(path).catch(() => '{}');
    return new BuildCache(path, files, new Map(entriesIn(text)));
  }

  find(key: string): CachedImage | null {
    return this.#images.get(key) ?? null;
  }

  async add(key: string, image: CachedImage): Promise<void> {
    this.#images.delete(key);
    this.#images.set(key, image);
    for (const oldest of [...this.#images.keys()].slice(0, -MAX_ENTRIES))
      this.#images.delete(oldest);
    const saved = this.#saving.then(() => this.#save());
    this.#saving = saved.catch(() => undefined);
    await saved;
  }

  /** What this image was built of is built again, also if nothing has changed. */
  async forget(id: string): Promise<void> {
    const keys = [...this.#images].filter(([, image]) => image.id === id).map(([key]) => key);
    if (keys.length === 0) return;
    for (const key of keys) this.#images.delete(key);
    const saved = this.#saving.then(() => this.#save());
    this.#saving = saved.catch(() => undefined);
    await saved;
  }

  async #save(): Promise<void> {
    await this.#files.makeFolder(folderOf(this.#path), FOLDER_MODE);
    const text = JSON.stringify(Object.fromEntries(this.#images));
    await this.#files.replace(this.#path, text, { mode: MODE });
  }
}

function entriesIn(text: string): [string, CachedImage][] {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    return Object.entries(value).filter((entry): entry is [string, CachedImage] =>
      isCachedImage(entry[1]),
    );
  } catch {
    return [];
  }
}

function isCachedImage(value: unknown): value is CachedImage {
  if (typeof value !== 'object' || value === null) return false;
  const { id, reference, pushed } = value as Partial<Record<keyof CachedImage, unknown>>;
  return typeof id === 'string' && typeof reference === 'string' && typeof pushed === 'boolean';
}

export interface KeyFacts {
  readonly artifact: Artifact;
  /** Of a Dockerfile: their values, and not the templates that they are made of. */
  readonly buildArgs: BuildArgs;
  /** Absolute, sorted. */
  readonly paths: readonly string[];
  /** Keys of what it requires. */
  readonly requiredKeys: readonly string[];
  readonly files: Pick<Files, 'read' | 'stat'>;
}

/** Hex: of the files, of how they are built, and of what they are built on. */
export async function cacheKey({
  artifact,
  buildArgs,
  paths,
  requiredKeys,
  files,
}: KeyFacts): Promise<string> {
  const { image, context, platforms } = artifact;
  const builder = { ...artifact.builder, buildArgs };
  const content = await digestFiles(paths, context, files);
  return sha256(JSON.stringify([image, builder, platforms, requiredKeys, content]));
}
