/**
 * Builds the single executable `dist/sea/lifehook` for this machine's processor; `--out FILE` writes another file. It
 * contains the output of the build and a Node: the one that deploy/image/node.json pins, or that of `--node FILE`.
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
/** Name of the resource in which Node looks for an application; the fuse is the text that enables it. */
const RESOURCE = 'NODE_SEA_BLOB';
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
/** Files of a build that are loaded by name. */
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
  // postject is the injection program that Node's documentation names.
  run(process.execPath, INJECT, target, RESOURCE, blob, '--sentinel-fuse', FUSE);
  await mkdir(dirname(values.out), { recursive: true });
  await copyFile(target, `${values.out}.part`);
  // Replaces the file atomically, because the old program may be running.
  await rename(`${values.out}.part`, values.out);
} finally {
  await rm(work, { recursive: true, force: true });
}

/** Removes the symbols: a fifth of the size, and not needed at run time. */
function stripSymbols(file: string): void {
  const strip = findExecutable('strip', pathFolders());
  if (strip !== null) run(strip, file);
}

/**
 * Paths of the assets, by name. V8's compiled code is valid only for one version, so the Node of the executable builds
 * it.
 */
async function makeAssets(node: string): Promise<Readonly<Record<string, string>>> {
  const built = join(work, 'built');
  run(node, '--import', 'tsx', 'scripts/build.ts', '--out', built);
  const names = (await readdir(built)).filter((name) => LOADED.test(name));
  const processes = join(work, 'processes');
  await build({
    ...parts,
    entryPoints: { ...processEntries, ...serveEntry },
    outdir: processes,
    // A script has no `import.meta.url`; packages are searched next to the executable.
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

/** Hides the output on success; an error includes it. */
function run(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
