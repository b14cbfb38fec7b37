/**
 * Processes of ours that outlived what they were for: keepers of a local cluster that does not run, a cluster whose
 * state directory was removed, supervisors whose container was. Linux only; elsewhere none is found.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

import { codeOf } from '../../../platform/posix-error.ts';
import { readRunning } from '../../cluster/cluster-state.ts';
import type { StrayProcess } from '../facts.ts';

/** What is called how; its first argument is a directory. */
const PROGRAMS: Readonly<Record<string, StrayProcess['role']>> = {
  'keep.js': 'keeper',
  'lifehook-keep': 'keeper',
  'serve.cjs': 'cluster',
  'supervise.js': 'supervisor',
  'lifehook-supervise': 'supervisor',
};

export interface OwnProcess {
  readonly role: StrayProcess['role'];
  readonly folder: string;
}

/** By the arguments of a process; null: it is none of ours. Pure. */
export function ownProcessOf(argv: readonly string[]): OwnProcess | null {
  for (const [index, argument] of argv.slice(0, 8).entries()) {
    const role = PROGRAMS[basename(argument)];
    const folder = argv[index + 1];
    if (role === undefined || folder?.startsWith('/') !== true) continue;
    if (role !== 'keeper') return { role, folder };
    const state = stateFolderOfKeeper(folder);
    return state === null ? null : { role, folder: state };
  }
  return null;
}

/** Of STATE/RUNNER/containers/ID, the directory of a container; null: it is no container of a local cluster. */
function stateFolderOfKeeper(folder: string): string | null {
  const containers = dirname(folder);
  const state = dirname(dirname(containers));
  return basename(containers) === 'containers' && state !== '/' ? state : null;
}

export async function gatherStrays(): Promise<readonly StrayProcess[]> {
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

/** 'hidden': this user may not look, as where another user has a local cluster. */
async function useOf({ role, folder }: OwnProcess): Promise<Use> {
  try {
    await stat(folder);
    return role !== 'keeper' || (await readRunning(folder)) !== null ? 'used' : 'unused';
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EACCES' || code === 'EPERM') return 'hidden';
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'removed';
    throw error;
  }
}

type Use = 'used' | 'unused' | 'removed' | 'hidden';
