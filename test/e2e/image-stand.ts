/** Image archives like those of other tools, written entry by entry, valid and invalid. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Header } from 'tar';
import { type ImageStore, openImageStore } from '../../packages/local-cluster/src/index.ts';
import type { StoreWorld } from '../../packages/local-cluster/src/testing.ts';
import { nodeArchives } from '../../src/platform/node-archives.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';

export interface Entry {
  readonly path: string;
  readonly type?: 'File' | 'Directory' | 'SymbolicLink' | 'Link' | 'CharacterDevice';
  readonly text?: string;
  readonly link?: string;
  readonly mode?: number;
}

const blockBytes = 512;

export function tarOf(entries: readonly Entry[]): Buffer {
  const pieces = entries.map(({ path, type = 'File', text = '', link, mode = 0o755 }) => {
    const block = Buffer.alloc(blockBytes);
    const body = Buffer.from(text);
    const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    const linkpath = link === undefined ? {} : { linkpath: link };
    const header = new Header({
      path,
      type,
      mode,
      size: body.length,
      mtime: new Date(1e12),
      ...own,
      ...linkpath,
    });
    if (header.encode(block)) throw new Error(`${path} and its link need a longer header`);
    const padding = Buffer.alloc((blockBytes - (body.length % blockBytes)) % blockBytes);
    return Buffer.concat([block, body, padding]);
  });
  return Buffer.concat([...pieces, Buffer.alloc(2 * blockBytes)]);
}

export function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export interface ImageOptions {
  readonly tags?: readonly string[];
  readonly config?: object;
  readonly gzip?: boolean;
}

/** An archive in the format of `docker save`. */
export function dockerSave(
  layers: readonly (readonly Entry[])[],
  options: ImageOptions = {},
): Buffer {
  const { tags = ['web:v1'], config = {} } = options;
  const tars = layers.map(tarOf);
  const text = configText(tars, config);
  const manifest = [
    {
      Config: `${sha256(text)}.json`,
      RepoTags: tags,
      Layers: tars.map((_, index) => `${index}/layer.tar`),
    },
  ];
  return tarOf(
    [
      ...tars.map((tar, index) => ({ path: `${index}/layer.tar`, text: tar.toString('latin1') })),
      { path: `${sha256(text)}.json`, text },
      { path: 'manifest.json', text: JSON.stringify(manifest) },
    ].map(asciiOnly),
  );
}

/** Throws if the text is not ASCII, because the header counts bytes and the stand counts characters. */
function asciiOnly(entry: Entry): Entry {
  if (Buffer.byteLength(entry.text ?? '') === (entry.text ?? '').length) return entry;
  throw new Error(`${entry.path} must be ASCII`);
}

function configText(tars: readonly Buffer[], config: object): string {
  const diffIds = tars.map((tar) => `sha256:${sha256(tar)}`);
  return JSON.stringify({
    architecture: 'amd64',
    os: 'linux',
    config,
    rootfs: { type: 'layers', diff_ids: diffIds },
  });
}

/** An OCI image layout as a directory; `damage` may change its content. */
export async function ociLayout(
  folder: string,
  layers: readonly (readonly Entry[])[],
  options: ImageOptions = {},
): Promise<readonly string[]> {
  const { tags = ['web:v2'], config = {}, gzip = true } = options;
  const tars = layers.map(tarOf);
  const blob = async (bytes: Buffer, mediaType: string): Promise<object> => {
    const path = join(folder, 'blobs/sha256', sha256(bytes));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
    return { mediaType, digest: `sha256:${sha256(bytes)}`, size: bytes.length };
  };
  const packed = tars.map((tar) => (gzip ? gzipSync(tar) : tar));
  const layerBlobs = [];
  for (const bytes of packed) {
    layerBlobs.push(
      await blob(bytes, `application/vnd.oci.image.layer.v1.tar${gzip ? '+gzip' : ''}`),
    );
  }
  const configBlob = await blob(
    Buffer.from(configText(tars, config)),
    'application/vnd.oci.image.config.v1+json',
  );
  const manifest = { schemaVersion: 2, config: configBlob, layers: layerBlobs };
  const inner = await blob(
    Buffer.from(JSON.stringify(manifest)),
    'application/vnd.oci.image.manifest.v1+json',
  );
  const platforms = ['arm64', 'amd64'].map((architecture) => ({
    ...(architecture === 'amd64' ? inner : { ...inner, digest: `sha256:${'0'.repeat(64)}` }),
    platform: { os: 'linux', architecture },
  }));
  const index = await blob(
    Buffer.from(JSON.stringify({ schemaVersion: 2, manifests: platforms })),
    'application/vnd.oci.image.index.v1+json',
  );
  const annotations = { 'org.opencontainers.image.ref.name': tags[0] };
  await writeFile(
    join(folder, 'index.json'),
    JSON.stringify({ schemaVersion: 2, manifests: [{ ...index, annotations }] }),
  );
  await writeFile(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  return packed.map((bytes) => join(folder, 'blobs/sha256', sha256(bytes)));
}

export interface ImageStand extends AsyncDisposable {
  readonly folder: string;
  /** The containers that use an image, by image id. */
  readonly users: Map<string, readonly string[]>;
  readonly world: StoreWorld;
  readonly store: ImageStore;
  write(name: string, bytes: Buffer | string): Promise<string>;
}

export async function openImageStand(): Promise<ImageStand> {
  const folder = await mkdtemp(join(tmpdir(), 'lifehook-images-'));
  const users = new Map<string, readonly string[]>();
  const world = {
    platform: nodePlatform,
    archives: nodeArchives,
    folder: join(folder, 'images'),
    architecture: 'amd64',
    usersOf: async (id: string) => users.get(id) ?? [],
  };
  return {
    folder,
    users,
    world,
    store: await openImageStore(world),
    write: async (name, bytes) => {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), bytes);
      return join(folder, name);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
