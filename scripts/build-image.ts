/**
 * Builds the image of the controllers with buildah, from `npm run build`:
 * `tsx scripts/build-image.ts --out lifehook.tar [--tag NAME] [--dist FOLDER] [--base IMAGE@sha256:…]`.
 *
 * Without `--base` it builds a base: the Node that deploy/image/node.json pins, the libraries of this machine that Node
 * loads, and nothing else. `docker load`, `podman load` and `ctr images import` read the file. The bill of materials in
 * the image is also written next to the file, as OUT.cdx.json.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { version } from '../src/cli/version.ts';
import { readPinnedNode, unpackNode } from './pinned-node.ts';
import { installCommand, missingPrograms, type Packages } from './required-programs.ts';
import {
  type BaseFile,
  type ImageBase,
  imageSbom,
  type Sbom,
  SBOM_FILE,
  sbomText,
} from './sbom.ts';

const ROOT = resolve(import.meta.dirname, '..');
const RECIPES = join(ROOT, 'deploy/image');
/** This file exists on machines with Debian packages. */
const DPKG = '/var/lib/dpkg/status';
const OWN_BASE = 'localhost/lifehook-node';
/** /etc/passwd of the image, for programs that look up the name of their user. */
const PASSWD = 'root:x:0:0:root:/:/\nlifehook:x:65532:65532:lifehook:/:/\n';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    tag: { type: 'string', default: `docker.io/lifehook/lifehook:${version}` },
    dist: { type: 'string', default: 'dist' },
    base: { type: 'string' },
  },
});
const { out, tag, dist, base } = values;
if (out === undefined) throw new Error('--out FILE is required: where the image is written');
if (base !== undefined && !/@sha256:[0-9a-f]{64}$/u.test(base)) {
  throw new Error(`--base ${base} has no digest: write IMAGE@sha256:…, since a tag may be moved`);
}

const needed = neededPrograms();
const missing = missingPrograms(needed);
if (missing.length > 0) {
  const next = `On Debian: ${installCommand(needed, missing)}`;
  console.error(`Cannot build the image. Not on the PATH: ${missing.join(', ')}. ${next}`);
  process.exit(1);
}

const work = await mkdtemp(join(tmpdir(), 'lifehook-image-'));
try {
  const storage = join(work, 'storage.conf');
  // Puts buildah's storage into the temporary directory, so that nothing is left behind.
  await writeFile(
    storage,
    `[storage]\ndriver = "vfs"\ngraphroot = "${work}/store"\nrunroot = "${work}/run"\n`,
  );
  const buildah = (...args: readonly string[]): void => {
    const env = { ...process.env, CONTAINERS_STORAGE_CONF: storage };
    execFileSync('buildah', args, { stdio: ['ignore', 'ignore', 'inherit'], env });
  };
  const build = (recipe: string, folder: string, ...more: readonly string[]): void => {
    const file = join(RECIPES, recipe);
    buildah('build', '--quiet', '--file', file, ...more, join(work, folder));
  };
  const part: ImageBase =
    base === undefined ? await makeRoot(join(work, 'base/root')) : { kind: 'image', name: base };
  if (base === undefined) build('Containerfile.base', 'base', '--tag', OWN_BASE);
  await cp(dist, join(work, 'context/dist'), { recursive: true });
  const ofPackage = JSON.parse(await readFile(join(dist, SBOM_FILE), 'utf8')) as Sbom;
  const sbom = sbomText(imageSbom(ofPackage, part));
  await writeFile(join(work, 'context/sbom.cdx.json'), sbom);
  build('Containerfile', 'context', '--tag', tag, '--build-arg', `BASE=${base ?? OWN_BASE}`);
  await rm(out, { force: true });
  buildah('push', '--quiet', tag, `docker-archive:${resolve(out)}:${tag}`);
  await writeFile(`${out}.cdx.json`, sbom);
} finally {
  await rm(work, { recursive: true, force: true });
}

/**
 * Programs that this build runs. Without `--base` it needs npm for Node and ldd for its libraries; on Debian also
 * dpkg-query, for the package names of the libraries.
 */
function neededPrograms(): Packages {
  if (base !== undefined) return { buildah: 'buildah' };
  const names = existsSync(DPKG) ? { 'dpkg-query': 'dpkg' } : {};
  return { buildah: 'buildah', npm: 'npm', ldd: 'libc-bin', ...names };
}

/** Creates the root directory of the base: Node and its libraries. */
async function makeRoot(root: string): Promise<ImageBase> {
  const node = await readPinnedNode();
  const program = await unpackNode(node, join(work, 'node'));
  await copyInto(root, program, '/usr/bin/node');
  const files: BaseFile[] = [];
  for (const library of librariesOf(program)) {
    await copyInto(root, library, library);
    files.push(await baseFile(library));
  }
  await mkdir(join(root, 'etc'), { recursive: true });
  await writeFile(join(root, 'etc/passwd'), PASSWD);
  return { kind: 'own', node, files };
}

/** Paths of the program's libraries, including the dynamic loader. */
function librariesOf(program: string): string[] {
  const text = execFileSync('ldd', [program], { encoding: 'utf8' });
  return [...text.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path = '']) => path);
}

async function copyInto(root: string, from: string, path: string): Promise<void> {
  const to = join(root, path);
  await mkdir(dirname(to), { recursive: true });
  await cp(await realpath(from), to);
}

async function baseFile(path: string): Promise<BaseFile> {
  const sha256 = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  const from = debianPackage(await realpath(path));
  return { path, sha256, ...(from === null ? {} : { from }) };
}

/** The Debian package of a file. Null: this is not Debian, or no package has the file. */
function debianPackage(path: string): NonNullable<BaseFile['from']> | null {
  // If /lib is a link to /usr/lib, a package may list either path.
  for (const known of [path, path.replace(/^\/usr/u, '')]) {
    try {
      const owner = dpkg('-S', known).split(': ')[0] ?? '';
      const [name = '', packageVersion = ''] = dpkg(
        '-W',
        '-f',
        '${Package} ${Version}',
        owner,
      ).split(' ');
      return { name, version: packageVersion };
    } catch {
      // Try the other path.
    }
  }
  return null;
}

function dpkg(...args: readonly string[]): string {
  return execFileSync('dpkg-query', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
