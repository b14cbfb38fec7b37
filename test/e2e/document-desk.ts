/** The environment of a reader who copies commands from a document: an empty directory, and `lifehook` on the PATH. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

import type { Block } from './markdown.ts';

const COMMAND_TIMEOUT_MS = 120_000;

/** Path of the tested program. */
export const PROGRAM: string = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');

export interface Desk {
  readonly folder: string;
  /** Working directory of the reader, empty at first. */
  readonly work: string;
  readonly env: NodeJS.ProcessEnv;
  /** Removes the directories, and the containers and the cluster that these blocks have left. */
  clear(blocks: readonly Block[]): void;
}

/** Creates the environment. Local clusters have their state next to the working directory. */
export function layDesk(more: Readonly<Record<string, string>>): Desk {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lifehook-document-')));
  const [work, bin, run] = [join(folder, 'work'), join(folder, 'bin'), join(folder, 'run')];
  for (const path of [work, bin, run]) mkdirSync(path, { mode: 0o700 });
  const script = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`;
  writeFileSync(join(bin, 'lifehook'), script, { mode: 0o755 });
  const path = `${bin}:${process.env['PATH'] ?? ''}`;
  const folders = { XDG_RUNTIME_DIR: run, XDG_STATE_HOME: folder };
  const env = { ...process.env, ...more, PATH: path, ...folders };
  const clear = (blocks: readonly Block[]): void => {
    removeContainers(blocks, work, env);
    removeClusters(blocks, work, env);
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, work, env, clear };
}

/** Removes containers that a document or a failed block has left. */
function removeContainers(blocks: readonly Block[], work: string, env: NodeJS.ProcessEnv): void {
  const lifehook = (...args: string[]): string =>
    spawnSync('lifehook', args, { cwd: work, env, encoding: 'utf8', timeout: COMMAND_TIMEOUT_MS })
      .stdout;
  const named = blocks.flatMap(({ text }) => [...text.matchAll(/--root (\S+)/g)]);
  const roots = new Set(named.map(([option]) => option));
  for (const root of [[], ...[...roots].map((option) => option.split(' '))]) {
    const views = JSON.parse(lifehook('oci', 'list', ...root, '--output', 'json')) as {
      readonly state: { readonly id: string; readonly bundle: string };
    }[];
    for (const { state } of views)
      if (state.bundle.startsWith(work)) lifehook('oci', 'delete', '--force', ...root, state.id);
  }
}

/** Stops clusters that a failed block has left; otherwise a document stops its cluster itself. */
function removeClusters(blocks: readonly Block[], work: string, env: NodeJS.ProcessEnv): void {
  if (!blocks.some(({ text }) => /^lifehook up\b/m.test(text))) return;
  const limits = { cwd: work, env, timeout: COMMAND_TIMEOUT_MS } as const;
  spawnSync('lifehook', ['down', '--delete'], limits);
}
