/**
 * Finds the parts of one image in an unpacked archive.
 *
 * The archive is an OCI image layout (index.json, blobs) or the output of `docker save` (manifest.json). Every part is
 * checked against its digest before it is used.
 */
import { objectsAt, textAt, textsAt } from '../../../../src/kube/fields.ts';
import type { JsonObject } from '../../../../src/kube/object.ts';
import type { Archives } from '../../../../src/platform/archives.ts';
import { codeOf } from '../../../../src/platform/posix-error.ts';
import type { Files } from '../../../../src/platform/platform.ts';
import { decodeUtf8 } from '../../../../src/platform/byte-text.ts';
import {
  damaged,
  parseObject,
  readImageConfig,
  type ReadConfig,
  canonicalReference,
} from './image-config.ts';

export interface ImageParts extends ReadConfig {
  /** Digest of the config, which is the image id on container engines. */
  readonly id: string;
  /** Digest of the manifest; null for `docker save`, which writes no manifest. */
  readonly manifestDigest: string | null;
  /** Paths of the layers, the lowest layer first. */
  readonly layers: readonly string[];
  readonly names: readonly string[];
}

export interface Layout {
  readonly files: Files;
  readonly archives: Archives;
  readonly folder: string;
  /** Architecture of the machine as Go spells it, such as "amd64". */
  readonly architecture: string;
}

/** Returns null if the directory has neither format. `wanted`: the name of the image, if there are several. */
export async function findImage(layout: Layout, wanted: string | null): Promise<ImageParts | null> {
  const { folder } = layout;
  const saved = await readText(layout, `${folder}/manifest.json`);
  if (saved !== null) return savedImage(layout, saved, wanted);
  const index = await readText(layout, `${folder}/index.json`);
  const marker = await readText(layout, `${folder}/oci-layout`);
  if (index === null || marker === null) return null;
  return indexedImage(layout, parseObject(index, 'index.json'), wanted);
}

async function savedImage(
  layout: Layout,
  text: string,
  wanted: string | null,
): Promise<ImageParts> {
  const manifests = objectsAt(parseObject(`{"all":${text}}`, 'manifest.json'), 'all');
  const named = manifests.map((manifest) => ({ names: textsAt(manifest, 'RepoTags'), manifest }));
  const { manifest, names } = choose(named, wanted);
  const path = textAt(manifest, 'Config');
  const digest = `sha256:${/([0-9a-f]{64})(?:\.json)?$/.exec(path)?.[1] ?? ''}`;
  const config = await readChecked(layout, { path, digest });
  const layers: string[] = [];
  for (const layer of textsAt(manifest, 'Layers')) layers.push(await pathOf(layout, layer));
  return { ...config, id: digest, manifestDigest: null, layers, names };
}

const indexDepthMax = 4;
const refName = 'org.opencontainers.image.ref.name';
const fullName = 'io.containerd.image.name';

async function indexedImage(
  layout: Layout,
  index: JsonObject,
  wanted: string | null,
): Promise<ImageParts> {
  const named = objectsAt(index, 'manifests').map((manifest) => {
    const names = [fullName, refName].map((name) => textAt(manifest, 'annotations', name));
    return { names: names.filter((name) => name !== ''), manifest };
  });
  const { manifest, names } = choose(forThisMachine(named, layout.architecture), wanted);
  const found = await readManifest(layout, manifest, indexDepthMax);
  const id = textAt(found.manifest, 'config', 'digest');
  const config = await readChecked(layout, { path: blobPath(id), digest: id });
  const layers: string[] = [];
  for (const layer of objectsAt(found.manifest, 'layers'))
    layers.push(await layerPath(layout, layer));
  return { ...config, id, manifestDigest: found.digest, layers, names };
}

interface FoundManifest {
  readonly manifest: JsonObject;
  readonly digest: string;
}

/** Follows an index to the manifest: an index may refer to other indexes, one for each platform. */
async function readManifest(
  layout: Layout,
  descriptor: JsonObject,
  depthLeft: number,
): Promise<FoundManifest> {
  const digest = textAt(descriptor, 'digest');
  const path = blobPath(digest);
  const text = await readBlob(layout, { path, digest });
  const manifest = parseObject(text, path);
  const inner = objectsAt(manifest, 'manifests').map((one) => ({ names: [], manifest: one }));
  if (inner.length === 0) return { manifest, digest };
  if (depthLeft === 0)
    throw damaged(`its image indexes are nested more than ${indexDepthMax} levels deep`);
  const [own] = forThisMachine(inner, layout.architecture);
  if (own === undefined) throw damaged(`it has no variant for linux/${layout.architecture}`);
  return readManifest(layout, own.manifest, depthLeft - 1);
}

interface Named {
  readonly names: readonly string[];
  readonly manifest: JsonObject;
}

/** Keeps the manifests for this machine and those without a platform. Attestations have the platform "unknown". */
function forThisMachine(all: readonly Named[], architecture: string): readonly Named[] {
  return all.filter(({ manifest }) => {
    const os = textAt(manifest, 'platform', 'os');
    const machine = textAt(manifest, 'platform', 'architecture');
    return ['', 'linux'].includes(os) && ['', architecture].includes(machine);
  });
}

function choose(all: readonly Named[], wanted: string | null): Named {
  const [only, ...others] = all;
  if (only === undefined) throw damaged('it holds no image for this machine');
  if (others.length === 0) return only;
  const found = all.find(({ names }) => names.some((name) => isSame(name, wanted)));
  if (found !== undefined) return found;
  const names = all.flatMap((one) => one.names).join(', ');
  throw damaged(
    `it holds ${all.length} images: ${names}`,
    'Give the name of one of them: lifehook image import PATH NAME.',
  );
}

function isSame(name: string, wanted: string | null): boolean {
  if (wanted === null) return false;
  try {
    return canonicalReference(name) === canonicalReference(wanted);
  } catch {
    // Some tools write only a tag, such as "latest", which is no name.
    return false;
  }
}

async function layerPath(layout: Layout, layer: JsonObject): Promise<string> {
  const digest = textAt(layer, 'digest');
  const type = textAt(layer, 'mediaType');
  if (/foreign|nondistributable/.test(type))
    throw damaged(`its layer ${digest} is not in the archive`);
  const path = await pathOf(layout, blobPath(digest));
  const found = await layout.archives.digest(path);
  if (found !== digest) throw damaged(`the content of layer ${digest} has the digest ${found}`);
  return path;
}

interface Blob {
  readonly path: string;
  readonly digest: string;
}

async function readChecked(layout: Layout, blob: Blob): Promise<ReadConfig> {
  return readImageConfig(await readBlob(layout, blob), blob.path);
}

async function readBlob(layout: Layout, { path, digest }: Blob): Promise<string> {
  const real = await pathOf(layout, path);
  const found = await layout.archives.digest(real);
  if (found !== digest) throw damaged(`${path} must have the digest ${digest}; it has ${found}`);
  return decodeUtf8(await layout.files.read(real));
}

function blobPath(digest: string): string {
  const [, hex] = /^sha256:([0-9a-f]{64})$/.exec(digest) ?? [];
  if (hex === undefined) throw damaged(`${JSON.stringify(digest)} is not a sha256 digest`);
  return `blobs/sha256/${hex}`;
}

/** Real path of a file, which may be a link to another file in the directory: `docker save` wrote layers as links. */
async function pathOf({ files, folder }: Layout, path: string): Promise<string> {
  try {
    const root = await files.realPath(folder);
    const real = await files.realPath(`${folder}/${path}`);
    if (real.startsWith(`${root}/`) && (await files.stat(real)).kind === 'file') return real;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error;
  }
  throw damaged(`it names the file ${JSON.stringify(path)}, but does not contain it`);
}

async function readText({ files }: Layout, path: string): Promise<string | null> {
  try {
    return decodeUtf8(await files.read(path));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
