/**
 * Stores the images of a local cluster: content by digest, and names for it. Nothing is downloaded.
 *
 * CLUS-I1 An image exists completely or not at all, however its import ends. Two parallel imports of it give one.
 * CLUS-I2 Imported content matches its digests; an import writes nothing outside of its directory.
 * CLUS-I3 Removing a name keeps the content while another name refers to it.
 * CLUS-I4 Content is kept while a container of it runs: its last name cannot be removed. If that name is given to
 *    another image, a later change of the names removes the content.
 */
import { LifehookError } from '../../../../src/model/problem.ts';
import type { LocalImage } from '../../../../src/platform/container-runtime.ts';
import { decodeUtf8, encodeUtf8 } from '../../../../src/platform/byte-text.ts';
import { codeOf } from '../../../../src/platform/posix-error.ts';
import {
  type ImageConfig,
  canonicalReference,
  familiarReference,
  parseReference,
} from './image-config.ts';
import { importInto, type ImportRequest } from './import-image.ts';
import {
  alone,
  FILE_MODE,
  inTemporary,
  listOrNothing,
  STORE_MODE,
  sweep,
  type StoreWorld,
} from './store-folder.ts';

export interface ImageStore {
  /** Returns the name, and the image it refers to now. If it throws a LifehookError, nothing was imported. */
  importImage(request: ImportRequest): Promise<StoredImage>;
  /** Finds the image of a name, in any spelling. Returns undefined if there is no such image. */
  resolve(reference: string): Promise<LocalImage | undefined>;
  /** Lists all images, ordered by name. */
  list(): Promise<readonly StoredImage[]>;
  /** Returns false if the name does not exist. Throws a LifehookError while containers of the image run. */
  remove(reference: string): Promise<boolean>;
  /** Adds another name for the same image. */
  tag(existing: string, another: string): Promise<StoredImage>;
}

export interface StoredImage {
  /** Name in the short form that users write, such as `nginx:latest`. */
  readonly reference: string;
  readonly id: string;
  readonly rootPath: string;
  readonly bytes: number;
  readonly importedAtMs: number;
}

/** The content of image.json. */
export interface ImageRecord {
  readonly id: string;
  readonly manifestDigest: string | null;
  /** Directory that the image uses in place; null if its content is in `root` next to this file. */
  readonly linkedPath: string | null;
  readonly config: ImageConfig;
  readonly bytes: number;
  readonly importedAtMs: number;
}

interface ReferenceRecord {
  readonly reference: string;
  readonly id: string;
}

export async function openImageStore(world: StoreWorld): Promise<ImageStore> {
  await sweep(world);
  return {
    importImage: (request) => importImage(world, request),
    resolve: (reference) => resolve(world, reference),
    list: () => list(world),
    remove: (reference) => alone(world, () => remove(world, canonicalReference(reference))),
    tag: (existing, another) => tag(world, existing, another),
  };
}

async function importImage(world: StoreWorld, request: ImportRequest): Promise<StoredImage> {
  if (request.reference !== null) parseReference(request.reference);
  return inTemporary(world, async (temporary) => {
    const { record, names } = await importInto(world, temporary, request);
    const reference = request.reference ?? names[0];
    if (reference === undefined) throw nameless(request.from);
    const canonical = canonicalReference(reference);
    return alone(world, async () => {
      await publish(world, temporary, record);
      await name(world, canonical, record.id);
      return stored(world, canonical, record);
    });
  });
}

/**
 * Moves the content into the store. Existing content of the image is replaced, unless containers of the image run.
 * Then it is kept, even if those containers changed it, as plain processes can (CLUS-I2).
 */
async function publish(world: StoreWorld, temporary: string, record: ImageRecord): Promise<void> {
  const { files } = world.platform;
  const final = imageFolder(world, record.id);
  const isThere = (await readRecord(world, record.id)) !== null;
  if (isThere && (await world.usersOf(record.id)).length > 0) return;
  // The record is removed first, so that an incomplete image is never taken for a complete one.
  await files.remove(`${final}/image.json`);
  await world.archives.removeFolder(final);
  await writeJson(world, `${temporary}/image/image.json`, record);
  await files.makeFolder(`${world.folder}/images`, STORE_MODE);
  await files.rename(`${temporary}/image`, final);
}

async function name(world: StoreWorld, canonical: string, id: string): Promise<void> {
  await world.platform.files.makeFolder(`${world.folder}/references`, STORE_MODE);
  await writeJson(world, referencePath(world, canonical), { reference: canonical, id });
  await forgetNameless(world);
}

async function resolve(world: StoreWorld, reference: string): Promise<LocalImage | undefined> {
  const record = await find(world, reference);
  if (record === null) return undefined;
  const { id, config } = record;
  return { reference, id, rootPath: rootPathOf(world, record), config };
}

/** Returns null for a name that is invalid or unknown. */
async function find(world: StoreWorld, reference: string): Promise<ImageRecord | null> {
  if (!isReference(reference)) return null;
  const { digest } = parseReference(reference);
  if (digest !== null) return findByDigest(world, digest);
  const found = await readReference(world, canonicalReference(reference));
  return found === null ? null : readRecord(world, found.id);
}

async function findByDigest(world: StoreWorld, digest: string): Promise<ImageRecord | null> {
  for (const hex of await listOrNothing(world, `${world.folder}/images`)) {
    const record = await readRecord(world, `sha256:${hex}`);
    if (record?.manifestDigest === digest || record?.id === digest) return record;
  }
  return null;
}

async function list(world: StoreWorld): Promise<readonly StoredImage[]> {
  const all: StoredImage[] = [];
  for (const { reference, id } of await references(world)) {
    const record = await readRecord(world, id);
    if (record !== null) all.push(stored(world, reference, record));
  }
  return all.toSorted((a, b) => (a.reference < b.reference ? -1 : 1));
}

async function remove(world: StoreWorld, canonical: string): Promise<boolean> {
  const found = await readReference(world, canonical);
  if (found === null) return false;
  const names = (await references(world)).filter(({ id }) => id === found.id);
  const users = names.length > 1 ? [] : await world.usersOf(found.id);
  if (users.length > 0) throw inUse(canonical, users);
  await world.platform.files.remove(referencePath(world, canonical));
  await forgetNameless(world);
  return true;
}

/** Removes images without a name. The record is removed first: see `publish`. */
async function forgetNameless(world: StoreWorld): Promise<void> {
  const named = new Set((await references(world)).map(({ id }) => id));
  for (const hex of await listOrNothing(world, `${world.folder}/images`)) {
    const id = `sha256:${hex}`;
    if (named.has(id) || (await world.usersOf(id)).length > 0) continue;
    const folder = imageFolder(world, id);
    await world.platform.files.remove(`${folder}/image.json`);
    await world.archives.removeFolder(folder);
  }
}

async function tag(world: StoreWorld, existing: string, another: string): Promise<StoredImage> {
  const canonical = canonicalReference(another);
  return alone(world, async () => {
    const record = await find(world, existing);
    if (record === null) throw unknownImage(existing);
    await name(world, canonical, record.id);
    return stored(world, canonical, record);
  });
}

function stored(world: StoreWorld, canonical: string, record: ImageRecord): StoredImage {
  const { id, bytes, importedAtMs } = record;
  const rootPath = rootPathOf(world, record);
  return { reference: familiarReference(canonical), id, rootPath, bytes, importedAtMs };
}

function rootPathOf(world: StoreWorld, { id, linkedPath }: ImageRecord): string {
  return linkedPath ?? `${imageFolder(world, id)}/root`;
}

function imageFolder({ folder }: StoreWorld, id: string): string {
  return `${folder}/images/${id.slice(id.indexOf(':') + 1)}`;
}

function referencePath({ folder }: StoreWorld, canonical: string): string {
  return `${folder}/references/${encodeURIComponent(canonical)}.json`;
}

async function references(world: StoreWorld): Promise<readonly ReferenceRecord[]> {
  const all: ReferenceRecord[] = [];
  for (const file of await listOrNothing(world, `${world.folder}/references`)) {
    const record = await readJson(world, `${world.folder}/references/${file}`);
    if (record !== null) all.push(record as ReferenceRecord);
  }
  return all;
}

async function readReference(
  world: StoreWorld,
  canonical: string,
): Promise<ReferenceRecord | null> {
  return (await readJson(world, referencePath(world, canonical))) as ReferenceRecord | null;
}

async function readRecord(world: StoreWorld, id: string): Promise<ImageRecord | null> {
  return (await readJson(world, `${imageFolder(world, id)}/image.json`)) as ImageRecord | null;
}

/**
 * Reads a file of the store. Not validated: only this store writes the file, and it always replaces the file
 * atomically.
 */
async function readJson({ platform }: StoreWorld, path: string): Promise<unknown> {
  try {
    return JSON.parse(decodeUtf8(await platform.files.read(path))) as unknown;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

async function writeJson({ platform }: StoreWorld, path: string, value: object): Promise<void> {
  await platform.files.replace(path, `${encodeUtf8(JSON.stringify(value))}\n`, { mode: FILE_MODE });
}

function isReference(text: string): boolean {
  try {
    parseReference(text);
    return true;
  } catch {
    return false;
  }
}

function nameless(from: string): LifehookError {
  return new LifehookError({
    code: 'LHN303',
    message: `An image needs a name, and ${from} holds none.`,
    next: 'Give it one: lifehook image import PATH NAME.',
  });
}

function unknownImage(reference: string): LifehookError {
  return new LifehookError({
    code: 'LHN304',
    message: `There is no image ${JSON.stringify(reference)} in this cluster.`,
    next: 'See `lifehook image list`.',
  });
}

const USERS_SHOWN = 3;

function inUse(canonical: string, users: readonly string[]): LifehookError {
  const rest = users.length - USERS_SHOWN;
  const shown = users.slice(0, USERS_SHOWN).join(', ');
  return new LifehookError({
    code: 'LHN307',
    message: `The image ${familiarReference(canonical)} is in use by ${shown}${rest > 0 ? `, and ${rest} more` : ''}.`,
    next: 'Delete those pods, or what makes them, first; kubectl get pods --all-namespaces lists them.',
  });
}
