/** Imports an image: writes its complete, checked content to a temporary directory. The store publishes it. */
import { LifehookError } from '../../../../src/model/problem.ts';
import type { ArchiveLimits, Unpacked } from '../../../../src/platform/archives.ts';
import { codeOf } from '../../../../src/platform/posix-error.ts';
import { encodeUtf8 } from '../../../../src/platform/byte-text.ts';
import { runProgram } from '../runtime/run-program.ts';
import { damaged, emptyConfig, type ImageConfig } from './image-config.ts';
import { findImage, type ImageParts } from './image-layout.ts';
import type { ImageRecord } from './image-store.ts';
import { FOLDER_MODE, type StoreWorld } from './store-folder.ts';

export interface ImportRequest {
  /** Path of a root file system (directory or `docker export`) or of an image (OCI image layout, or `docker save`). */
  readonly from: string;
  /** Name of the image; null for the name in the archive. */
  readonly reference: string | null;
  /** True to use the directory in place: containers see later changes in it. */
  readonly link?: boolean;
  readonly config?: Partial<ImageConfig>;
}

export interface Imported {
  readonly record: ImageRecord;
  readonly names: readonly string[];
}

export const IMAGE_LIMITS: ArchiveLimits = {
  maxBytes: 16 * 1024 ** 3,
  maxEntries: 1_000_000,
};

type Found = Omit<ImageRecord, 'importedAtMs'> & { readonly names: readonly string[] };

/** Fills `image/` of the temporary directory, but does not write image.json. */
export async function importInto(
  world: StoreWorld,
  temporary: string,
  request: ImportRequest,
): Promise<Imported> {
  const { from } = request;
  try {
    const { files, clock } = world.platform;
    const path = await files.realPath(from);
    await files.makeFolder(`${temporary}/image/root`, FOLDER_MODE);
    const isFolder = (await files.stat(path)).kind === 'folder';
    const { names, ...found } = isFolder
      ? await fromFolder(world, temporary, { ...request, from: path })
      : await fromArchive(world, temporary, { ...request, from: path });
    await settle(world, temporary);
    const made = await withConfig(world, temporary, { found, config: request.config });
    return { record: { ...made, importedAtMs: clock.nowMs() }, names };
  } catch (error) {
    if (error instanceof LifehookError || codeOf(error) === null) throw error;
    throw refused(from, error);
  }
}

/**
 * The image with the configuration that the user gave. An image with another config is another image, even with the
 * same files, so it gets its own id.
 */
async function withConfig(
  world: StoreWorld,
  temporary: string,
  { found, config }: { readonly found: Omit<Found, 'names'>; readonly config: Config | undefined },
): Promise<Omit<Found, 'names'>> {
  if (config === undefined) return found;
  const whole = { ...found.config, ...config };
  const text = JSON.stringify([found.id, sorted(whole)]);
  const hash = await hashText(world, `${temporary}/config`, text);
  return { ...found, id: `sha256:${hash}`, config: whole };
}

type Config = NonNullable<ImportRequest['config']>;

/** Sorts the fields, so that their order does not change the id. */
function sorted({ env, ...rest }: ImageConfig): unknown {
  const byName = <T>(one: Readonly<Record<string, T>>): [string, T][] =>
    Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [byName<unknown>(rest), byName(env)];
}

async function fromFolder(
  world: StoreWorld,
  temporary: string,
  { from, link = false, reference }: ImportRequest,
): Promise<Found> {
  const layout = await findImage(layoutOf(world, from), reference);
  if (layout !== null) return fromLayout(world, temporary, layout);
  const plain = { manifestDigest: null, config: emptyConfig, names: [] };
  if (link) {
    return {
      ...plain,
      id: `sha256:${await hashText(world, `${temporary}/place`, from)}`,
      linkedPath: from,
      bytes: 0,
    };
  }
  const root = `${temporary}/image/root`;
  const { digest, bytes } = await world.archives.copyFolder(from, root, IMAGE_LIMITS);
  return { ...plain, id: digest, linkedPath: null, bytes };
}

async function fromArchive(
  world: StoreWorld,
  temporary: string,
  { from, link = false, reference }: ImportRequest,
): Promise<Found> {
  if (link) throw notLinked(from);
  const outer = `${temporary}/outer`;
  await world.platform.files.makeFolder(outer, FOLDER_MODE);
  const unpacked = await unpack(world, from, { root: outer, whiteouts: false });
  const layout = await findImage(layoutOf(world, outer), reference);
  if (layout !== null) return fromLayout(world, temporary, layout);
  if (unpacked.entries === 0) throw damaged(`${from} is empty`);
  // The archive has no image layout, so it is a root file system.
  await world.archives.removeFolder(`${temporary}/image/root`);
  await world.platform.files.rename(outer, `${temporary}/image/root`);
  const { digest, bytes } = unpacked;
  const plain = { manifestDigest: null, linkedPath: null, config: emptyConfig, names: [] };
  return { ...plain, id: digest, bytes };
}

async function fromLayout(
  world: StoreWorld,
  temporary: string,
  { id, manifestDigest, config, diffIds, layers, names }: ImageParts,
): Promise<Found> {
  if (layers.length !== diffIds.length) {
    throw damaged(`it has ${layers.length} layers, and its config names ${diffIds.length}`);
  }
  let bytes = 0;
  for (const [index, layer] of layers.entries()) {
    const root = `${temporary}/image/root`;
    const unpacked = await unpack(world, layer, { root, whiteouts: true, usedBytes: bytes });
    if (unpacked.digest !== diffIds[index]) {
      throw damaged(
        `layer ${index + 1} has the digest ${unpacked.digest}, not ${diffIds[index] ?? ''}`,
      );
    }
    bytes += unpacked.bytes;
  }
  return { id, manifestDigest, linkedPath: null, config, bytes, names };
}

interface Unpacking {
  readonly root: string;
  readonly whiteouts: boolean;
  readonly usedBytes?: number;
}

function unpack(
  { archives }: StoreWorld,
  path: string,
  { root, whiteouts, usedBytes = 0 }: Unpacking,
): Promise<Unpacked> {
  const maxBytes = IMAGE_LIMITS.maxBytes - usedBytes;
  return archives.unpack(path, root, { ...IMAGE_LIMITS, maxBytes, whiteouts });
}

function layoutOf(
  { platform, archives, architecture }: StoreWorld,
  folder: string,
): Parameters<typeof findImage>[0] {
  return { files: platform.files, archives, folder, architecture };
}

/** Writes a text to a new file at `path`, and returns the hash of the file in hex. */
async function hashText(world: StoreWorld, path: string, text: string): Promise<string> {
  await world.platform.files.create(path, encodeUtf8(text), 0o600);
  return (await world.archives.digest(path)).slice('sha256:'.length);
}

const syncMaxMs = 120_000;

/**
 * Syncs the content to disk before it gets a name. On a machine without the program `sync`, a power loss may damage the
 * image.
 */
async function settle({ platform }: StoreWorld, folder: string): Promise<void> {
  await runProgram(platform, ['sync', '--file-system', folder], syncMaxMs);
}

function refused(from: string, error: unknown): LifehookError {
  const why = error instanceof Error ? error.message : String(error);
  return new LifehookError(
    {
      code: 'LHN305',
      message: `${from} must be a directory, an OCI image layout, or a tar file of docker save, podman save or docker export, and cannot be imported: ${why}.`,
      next: 'Correct the path, or save the image again; nothing was imported.',
    },
    { cause: error },
  );
}

function notLinked(from: string): LifehookError {
  return new LifehookError({
    code: 'LHN306',
    message: `Only a directory can be used in place; ${from} is an archive.`,
    next: 'Leave --link out.',
  });
}
