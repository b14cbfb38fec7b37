/**
 * The Node of the image: the version in deploy/image/node.json. Its archive is verified by checksum before it is
 * unpacked.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar';

export interface PinnedNode {
  readonly version: string;
  /** Name of the npm package that contains the Node program. */
  readonly name: string;
  /** Hash of the package in npm's form: "sha512-" and base64. */
  readonly integrity: string;
}

const PINS = resolve(import.meta.dirname, '../deploy/image/node.json');

/** The Node for this machine's processor. Throws if none is pinned. */
export async function readPinnedNode(): Promise<PinnedNode> {
  const { version, packages } = JSON.parse(await readFile(PINS, 'utf8')) as {
    readonly version: string;
    readonly packages: Readonly<Record<string, Omit<PinnedNode, 'version'>>>;
  };
  const found = packages[process.arch];
  if (found === undefined) throw new Error(`${PINS} pins no Node for ${process.arch}`);
  return { version, ...found };
}

/** Unpacks Node into a directory; resolves with the path of the program. */
export async function unpackNode(
  { name, version, integrity }: PinnedNode,
  folder: string,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', `${name}@${version}`, '--json', '--pack-destination', folder], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as readonly { readonly filename: string }[];
  const archive = join(folder, packed?.filename ?? '');
  const received = await integrityOf(archive);
  if (received !== integrity) {
    throw new Error(`${name}@${version} is ${received}, and ${PINS} pins ${integrity}`);
  }
  await extract({ file: archive, cwd: folder }, ['package/bin/node']);
  return join(folder, 'package/bin/node');
}

async function integrityOf(path: string): Promise<string> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(path), hash);
  return `sha512-${hash.digest('base64')}`;
}
