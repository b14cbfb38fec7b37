/**
 * Which images have been built of what: a file beside the configuration, over sessions. An image gets in only when its
 * hooks after the build have succeeded too (case 20): a hook that failed is due again.
 */
import { sha256 } from '../../../platform/digests.ts';
import type { Files } from '../../../platform/platform.ts';
import type { Artifact } from '../config/model.ts';
import { folderOf } from '../config/paths.ts';
import { digestFiles } from './file-digest.ts';

/** The oldest are dropped. */
export const MAX_ENTRIES = 1_000;
const MODE = 0o644;
const FOLDER_MODE = 0o755;

export class BuildCache {
  readonly #path: string;
  readonly #files: Files;
  readonly #ids: Map<string, string>;
  #saving: Promise<void> = Promise.resolve();

  private constructor(path: string, files: Files, ids: Map<string, string>) {
    this.#path = path;
    this.#files = files;
    this.#ids = ids;
  }

  /** One that is not there, or damaged, is empty: everything is built again. */
  static async open(path: string, files: Files): Promise<BuildCache> {
    const text = await files.read(path).catch(() => '{}');
    return new BuildCache(path, files, new Map(entriesIn(text)));
  }

  idOf(key: string): string | null {
    return this.#ids.get(key) ?? null;
  }

  async add(key: string, id: string): Promise<void> {
    this.#ids.delete(key);
    this.#ids.set(key, id);
    for (const oldest of [...this.#ids.keys()].slice(0, -MAX_ENTRIES)) this.#ids.delete(oldest);
    const saved = this.#saving.then(() => this.#save());
    this.#saving = saved.catch(() => undefined);
    await saved;
  }

  async #save(): Promise<void> {
    await this.#files.makeFolder(folderOf(this.#path), FOLDER_MODE);
    const text = JSON.stringify(Object.fromEntries(this.#ids));
    await this.#files.replace(this.#path, text, { mode: MODE });
  }
}

function entriesIn(text: string): [string, string][] {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
    return Object.entries(value).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
  } catch {
    return [];
  }
}

export interface KeyFacts {
  readonly artifact: Artifact;
  /** Absolute, sorted. */
  readonly paths: readonly string[];
  /** Keys of what it requires. */
  readonly requiredKeys: readonly string[];
  readonly files: Pick<Files, 'read' | 'stat'>;
}

/** Hex: of the files, of how they are built, and of what they are built on. */
export async function cacheKey({
  artifact,
  paths,
  requiredKeys,
  files,
}: KeyFacts): Promise<string> {
  const { image, builder, context, platforms } = artifact;
  const content = await digestFiles(paths, context, files);
  return sha256(JSON.stringify([image, builder, platforms, requiredKeys, content]));
}
