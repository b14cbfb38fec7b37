/**
 * Maps sources to built images: a file next to the configuration, kept over sessions. An image is added only when its
 * hooks after the build have succeeded too (PIPE-CASE20): a failed hook runs again.
 */
import { sha256 } from '../../../platform/digests.ts';
import type { Files } from '../../../platform/platform.ts';
import { unlessMissing } from '../../../platform/posix-error.ts';
import type { Artifact } from '../config/model.ts';
import { folderOf } from '../config/paths.ts';
import type { BuildArgs } from './docker-argv.ts';
import { digestFiles } from './file-digest.ts';

/** Maximum number of entries; the oldest are dropped. */
export const MAX_ENTRIES = 1_000;
const MODE = 0o644;
const FOLDER_MODE = 0o755;

export interface CachedImage {
  readonly id: string;
  /** The delivered reference. It has the digest too if the image was pushed or its tag was reassigned. */
  readonly reference: string;
  readonly pushed: boolean;
}

interface CacheOptions {
  /** Path of the file. */
  readonly path: string;
  readonly files: Files;
  /** Runs a change of the file while no other session changes it. */
  readonly alone: (change: () => Promise<void>) => Promise<void>;
}

export class BuildCache {
  readonly #options: CacheOptions;
  readonly #images: Map<string, CachedImage>;
  #saving: Promise<void> = Promise.resolve();

  private constructor(options: CacheOptions, images: Map<string, CachedImage>) {
    this.#options = options;
    this.#images = images;
  }

  /** Reads the cache. A missing, unreadable or damaged file counts as empty: everything is built again. */
  static async open(options: CacheOptions): Promise<BuildCache> {
    const text = await options.files.read(options.path).catch(() => '{}');
    return new BuildCache(options, new Map(entriesIn(text)));
  }

  find(key: string): CachedImage | null {
    return this.#images.get(key) ?? null;
  }

  add(key: string, image: CachedImage): Promise<void> {
    return this.#change((images) => {
      images.delete(key);
      images.set(key, image);
      for (const oldest of [...images.keys()].slice(0, -MAX_ENTRIES)) images.delete(oldest);
    });
  }

  /** Drops this image: it is built again, even if its sources have not changed. */
  forget(id: string): Promise<void> {
    return this.#change((images) => {
      for (const [key, image] of images) if (image.id === id) images.delete(key);
    });
  }

  async #change(apply: (images: Map<string, CachedImage>) => void): Promise<void> {
    apply(this.#images);
    const saved = this.#saving.then(() => this.#options.alone(() => this.#save(apply)));
    this.#saving = saved.catch(() => undefined);
    await saved;
  }

  /** Applies the change to the current content of the file, because another session may have changed it. */
  async #save(apply: (images: Map<string, CachedImage>) => void): Promise<void> {
    const images = await this.#stored();
    apply(images);
    const text = JSON.stringify(Object.fromEntries(images));
    const { path, files } = this.#options;
    await files.makeFolder(folderOf(path), FOLDER_MODE);
    await files.replace(path, text, { mode: MODE });
  }

  /** The images of the file, or those known here if it cannot be read. */
  async #stored(): Promise<Map<string, CachedImage>> {
    const { path, files } = this.#options;
    try {
      return new Map(entriesIn((await unlessMissing(files.read(path))) ?? '{}'));
    } catch {
      return new Map(this.#images);
    }
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
  /** The expanded build arguments of a Dockerfile, not their templates. */
  readonly buildArgs: BuildArgs;
  /** Absolute paths of the files of the context, sorted. */
  readonly paths: readonly string[];
  /** The cache keys of the images that the artifact requires. */
  readonly requiredKeys: readonly string[];
  readonly files: Pick<Files, 'read' | 'stat'>;
}

/** Hex digest of the files, the builder's settings, and the requirements. */
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
