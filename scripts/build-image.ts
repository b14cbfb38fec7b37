/**
 * Builds the image of the controllers with buildah, from `npm run build`:
 * `tsx scripts/build-image.ts --out lifehook.tar [--tag NAME] [--dist FOLDER] [--base IMAGE]`.
 * Without a base, its Node is this machine's, with the libraries that it loads and nothing else: no registry is
 * asked. The file is what `docker load`, `podman load` and `ctr images import` read.
 */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { version } from '../src/cli/version.ts';

const RECIPES = resolve(import.meta.dirname, '../deploy/image');
const OWN_BASE = 'localhost/lifehook-node';
/** Known by name to what asks who it runs as. */
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

const work = await mkdtemp(join(tmpdir(), 'lifehook-image-'));
try {
  const storage = join(work, 'storage.conf');
  // One of its own, so that nothing stays behind.
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
  if (base === undefined) {
    await makeRoot(join(work, 'base/root'));
    build('Containerfile.base', 'base', '--tag', OWN_BASE);
  }
  await cp(dist, join(work, 'context/dist'), { recursive: true });
  build('Containerfile', 'context', '--tag', tag, '--build-arg', `BASE=${base ?? OWN_BASE}`);
  await rm(out, { force: true });
  buildah('push', '--quiet', tag, `docker-archive:${resolve(out)}:${tag}`);
} finally {
  await rm(work, { recursive: true, force: true });
}

/** The folder of a machine that has Node. */
async function makeRoot(root: string): Promise<void> {
  await copyInto(root, process.execPath, '/usr/bin/node');
  for (const library of librariesOf(process.execPath)) await copyInto(root, library, library);
  await mkdir(join(root, 'etc'), { recursive: true });
  await writeFile(join(root, 'etc/passwd'), PASSWD);
}

/** The loader among them. */
function librariesOf(program: string): string[] {
  const text = execFileSync('ldd', [program], { encoding: 'utf8' });
  return [...text.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path = '']) => path);
}

async function copyInto(root: string, from: string, path: string): Promise<void> {
  const to = join(root, path);
  await mkdir(dirname(to), { recursive: true });
  await cp(await realpath(from), to);
}
