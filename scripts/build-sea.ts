/**
 * Builds the single executable `dist/sea/lifehook`, or with `--out FILE` another one, for this machine's processor: the Node
 * that deploy/image/node.json pins, or with `--node FILE` that one, and within it what the build makes.
 */
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { findExecutable, pathFolders } from '../src/cli/real-runtime.ts';
import { parts, processEntries, scripts, serveEntry } from './bundles.ts';
import { readPinnedNode, unpackNode } from './pinned-node.ts';

const INJECT = 'node_modules/postject/dist/cli.js';
/** Where Node looks for what was put into it, and the text that says that there is something. */
const RESOURCE = 'NODE_SEA_BLOB';
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
/** Of a build: what is loaded by its name. */
const LOADED = /(?<!^serve)\.(?:cjs|compiled)$|^timeline\.html$/;

const { values } = parseArgs({
  options: { node: { type: 'string' }, out: { type: 'string', default: 'dist/sea/lifehook' } },
});
const work = await mkdtemp(join(tmpdir(), 'lifehook-sea-'));
try {
  const node = values.node ?? (await unpackNode(await readPinnedNode(), work));
  const target = join(work, 'lifehook');
  await copyFile(node, target);
  await chmod(target, 0o755);
  stripSymbols(target);
  const blob = await makeBlob(node, await makeAssets(node));
  // Node's own documentation names this program for it.
  run(process.execPath, INJECT, target, RESOURCE, blob, '--sentinel-fuse', FUSE);
  await mkdir(dirname(values.out), { recursive: true });
  await copyFile(target, `${values.out}.part`);
  // In one step, since the old one may be running.
  await rename(`${values.out}.part`, values.out);
} finally {
  await rm(work, { recursive: true, force: true });
}

/** A fifth of the size, which nothing needs at run time. */
function stripSymbols(file: string): void {
  const strip = findExecutable('strip', pathFolders());
  if (strip !== null) run(strip, file);
}

/** The path of each by its name. What V8 has compiled is of use to the same version only: that Node builds. */
async function makeAssets(node: string): Promise<Readonly<Record<string, string>>> {
  const built = join(work, 'built');
  run(node, '--import', 'tsx', 'scripts/build.ts', '--out', built);
  const names = (await readdir(built)).filter((name) => LOADED.test(name));
  const processes = join(work, 'processes');
  await build({
    ...parts,
    entryPoints: { ...processEntries, ...serveEntry },
    outdir: processes,
    // A script has none; packages are looked for next to the executable.
    define: { 'import.meta.url': 'process.execPath' },
  });
  return {
    ...pathsByName(built, names),
    ...pathsByName(processes, await readdir(processes)),
  };
}

function pathsByName(folder: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, join(folder, name)]));
}

async function makeBlob(node: string, assets: Readonly<Record<string, string>>): Promise<string> {
  const main = join(work, 'main.cjs');
  const output = join(work, 'blob');
  const config = join(work, 'sea.json');
  await build({ ...scripts, entryPoints: { main: 'src/cli/sea-main.ts' }, outdir: work });
  const settings = {
    main,
    output,
    assets,
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
  };
  await writeFile(config, JSON.stringify(settings));
  run(node, '--experimental-sea-config', config);
  return output;
}

/** Its output is of no interest while all succeeds; a failure throws with it. */
function run(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
