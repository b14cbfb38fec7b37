/**
 * Reads the facts about this machine, without any request to another machine. Processes are read from /proc, so on
 * other systems than Linux no stray process is found. Stray processes are: a supervisor of a local cluster that does
 * not run, a cluster without its state directory, and a supervisor without its container.
 */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, lstat, readdir, readFile, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';

import { parseServerVersion } from '../../../kube/capabilities.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import type { ClusterChoice } from '../../cluster/up-command.ts';
import { readRunning, stateFolderIfAny } from '../../cluster/cluster-state.ts';
import { findExecutable, pathFolders } from '../../real-runtime.ts';
import { loadParts, writtenPlaces } from '../../lifecycles.ts';
import type { LocalFacts, Place, StrayProcess } from '../facts.ts';
import { readCall } from '../../../supervisor/program.ts';

/** Milliseconds; timeout of `kubectl version --client`. */
const KUBECTL_TIMEOUT_MS = 5_000;

export async function gatherLocal(choice: ClusterChoice): Promise<LocalFacts> {
  const [kubectl, strays, places] = await Promise.all([
    kubectlFacts(),
    gatherStrays(),
    gatherPlaces(choice),
  ]);
  return { nodeVersion: process.versions.node, kubectl, strays, places };
}

async function kubectlFacts(): Promise<LocalFacts['kubectl']> {
  const path = findExecutable('kubectl', pathFolders());
  if (path === null) return null;
  const text = await new Promise<string>((done) => {
    const options = { timeout: KUBECTL_TIMEOUT_MS };
    execFile(path, ['version', '--client', '-o', 'json'], options, (_error, stdout) => {
      done(stdout);
    });
  });
  return { path, version: versionIn(text) };
}

/** null: the text has no version. */
export function versionIn(text: string): ReturnType<typeof parseServerVersion> {
  try {
    const { clientVersion = {} } = JSON.parse(text) as { clientVersion?: object };
    return parseServerVersion(clientVersion);
  } catch {
    return null;
  }
}

/** The role of each program by its name. The first argument of each program is a directory. */
const PROGRAMS: Readonly<Record<string, 'cluster' | 'supervisor'>> = {
  'serve.cjs': 'cluster',
  'supervise.js': 'supervisor',
  'lifehook-supervise': 'supervisor',
};

export interface OwnProcess {
  readonly role: StrayProcess['role'];
  readonly folder: string;
}

/**
 * The role and directory of a process of Lifehook, from its arguments; null: the process is not one of Lifehook. Pure.
 */
export function ownProcessOf(argv: readonly string[]): OwnProcess | null {
  for (const [index, argument] of argv.slice(0, 8).entries()) {
    const program = PROGRAMS[basename(argument)];
    const args = argv.slice(index + 1).filter((one) => one !== '');
    const [folder] = args;
    if (program === undefined || folder?.startsWith('/') !== true) continue;
    return program === 'cluster' ? { role: 'cluster', folder } : supervisedBy(args);
  }
  return null;
}

function supervisedBy(args: readonly string[]): OwnProcess | null {
  const call = readCall(args);
  if (call?.nodeFolder === null) return { role: 'container', folder: call.life.folder };
  const state = call === null ? null : clusterOfContainer(call.nodeFolder);
  return state === null ? null : { role: 'pod', folder: state };
}

/**
 * The state directory in STATE/RUNNER/containers/ID, the directory of a container; null: the path is not of that form.
 */
function clusterOfContainer(folder: string): string | null {
  const containers = dirname(folder);
  const state = dirname(dirname(containers));
  return basename(containers) === 'containers' && state !== '/' ? state : null;
}

async function gatherStrays(): Promise<readonly StrayProcess[]> {
  const names = await readdir('/proc').catch(() => []);
  const found = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(look));
  return found.filter((one) => one !== null);
}

async function look(name: string): Promise<StrayProcess | null> {
  const text = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
  const own = ownProcessOf(text.split('\0'));
  if (own === null) return null;
  const use = await useOf(own);
  if (use === 'used' || use === 'hidden') return null;
  return { pid: Number(name), ...own, isThere: use === 'unused' };
}

/**
 * Whether the directory of a process is still used. 'hidden': it cannot be read, for example because another user
 * started the local cluster.
 */
async function useOf({ role, folder }: OwnProcess): Promise<Use> {
  try {
    await stat(folder);
    return role !== 'pod' || (await readRunning(folder)) !== null ? 'used' : 'unused';
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'removed';
    if (code !== null) return 'hidden';
    throw error;
  }
}

type Use = 'used' | 'unused' | 'removed' | 'hidden';

/** Maximum number of files that are counted in one directory. A larger number is reported as "more than". */
const FILES_MAX = 50_000;

/** The directories that Lifehook writes to: whether they are writable, their free space, and their content. */
async function gatherPlaces(choice: ClusterChoice): Promise<readonly Place[]> {
  const ofLifecycles = (await loadParts(writtenPlaces)).flatMap((part) => part.writtenPlaces());
  const state = stateFolderIfAny(choice);
  const role = 'state of the local cluster';
  const ofCluster = state === null ? [] : [{ role, path: state, probe: () => readRunning(state) }];
  const wanted: WantedPlace[] = [...ofCluster, ...ofLifecycles];
  const paths = wanted.map(({ path }) => path);
  // If the user is root, the records of containers and those of the runtime are in the same directory.
  const once = wanted.filter(({ path }, index) => paths.indexOf(path) === index);
  const places = await Promise.all(once.map(placeOf));
  return places.filter((place) => place !== null);
}

/** A directory that this program writes to. */
export interface WantedPlace {
  readonly role: string;
  readonly path: string;
  readonly onlyIfThere?: boolean;
  /** Reads what must be readable in the directory. */
  readonly probe?: () => Promise<unknown>;
}

async function placeOf({
  role,
  path,
  onlyIfThere = false,
  probe,
}: WantedPlace): Promise<Place | null> {
  const used = await usageOf(path);
  if (used === null && onlyIfThere) return null;
  const there = await firstThatExists(path);
  // null: a link that leads to nothing.
  const found = await stat(there).catch(() => null);
  const unwritable = await refusalOf(access(there, constants.W_OK | constants.X_OK));
  const space = statfs(found === null ? dirname(there) : there);
  const [unreadable, { bavail, blocks, bsize }] = await Promise.all([
    refusalOf(Promise.all([space, probe?.()])),
    space.catch(() => ({ bavail: 0, blocks: 0, bsize: 0 })),
  ]);
  const refused = unwritable ?? unreadable;
  return {
    role,
    path,
    refused: found?.isDirectory() === false ? 'ENOTDIR' : refused,
    freeBytes: bavail * bsize,
    totalBytes: blocks * bsize,
    used,
  };
}

/** The error code of an act on a directory; null: it succeeded. */
async function refusalOf(act: Promise<unknown>): Promise<string | null> {
  return act.then(
    () => null,
    (error: unknown) => codeOf(error) ?? String(error),
  );
}

/** The path itself if it exists, else its nearest parent that does. */
async function firstThatExists(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    const exists = await lstat(at).then(
      () => true,
      () => false,
    );
    if (exists || at === dirname(at)) return at;
  }
}

/** null: the directory does not exist. A file that cannot be read, or disappears meanwhile, is not counted. */
async function usageOf(path: string): Promise<Place['used']> {
  const used = { bytes: 0, files: 0, isWhole: true };
  const open = [path];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entries = await readdir(at, { withFileTypes: true }).catch((error: unknown) => {
      return at === path && codeOf(error) === 'ENOENT' ? null : [];
    });
    if (entries === null) return null;
    for (const entry of entries) {
      if (used.files >= FILES_MAX) return { ...used, isWhole: false };
      const inside = join(at, entry.name);
      if (entry.isDirectory()) {
        open.push(inside);
        continue;
      }
      used.files += 1;
      used.bytes += await lstat(inside).then(
        ({ blocks }) => blocks * 512,
        () => 0,
      );
    }
  }
  return used;
}
