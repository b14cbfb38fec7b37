/**
 * Executes a document: its `sh` blocks, one after the other in one bash, in a folder of their own, as a
 * reader would who copies them. The first command that fails ends it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { blocksOf, linesMissing, type Block } from './markdown.ts';

const DOCUMENT_TIMEOUT_MS = 100_000;
const COMMAND_TIMEOUT_MS = 30_000;

/** What a reader runs and a test can't, by its exact text, each with the reason. */
export const notRun: Readonly<Record<string, string>> = {
  'npm ci && npm run demo': 'it installs; the demonstration has a test of its own',
  'npm ci && npm test': 'it installs, and then runs this very test',
};

/** "sh" needs Node and a POSIX host only; "sh system" also root, runc, crun or podman. */
export type Kind = 'sh' | 'sh system';

/** README.md and everything in docs but the decisions, which tell of the past. */
export function documents(): string[] {
  const list = ['ls-files', '-co', '--exclude-standard', '--', 'README.md', 'docs/*.md'];
  return execFileSync('git', list, { encoding: 'utf8' })
    .trimEnd()
    .split('\n')
    .filter((path) => !path.startsWith('docs/decisions/'));
}

export function blocksIn(document: string): Block[] {
  return blocksOf(readFileSync(document, 'utf8'));
}

/**
 * What is wrong with a document: where a block fails or prints something else than it says, and what
 * it printed. Nothing is run beyond the first block that fails.
 */
export function failuresOf(document: string, kinds: readonly Kind[]): string[] {
  const blocks = blocksIn(document).filter(
    ({ info, text }) => kinds.some((kind) => kind === info) && !(text in notRun),
  );
  return runBlocks(blocks).flatMap(({ block, output, passed }) => {
    const at = `${document}:${block.line}`;
    if (!passed) return [`${at} fails. It printed:\n${output}`];
    return linesMissing(block, output).map(
      (line) => `${at} does not print "${line}" but:\n${output}`,
    );
  });
}

interface BlockRun {
  readonly block: Block;
  /** stdout and stderr, as a terminal shows them. */
  readonly output: string;
  /** Every command of it ended with 0. */
  readonly passed: boolean;
}

function runBlocks(blocks: readonly Block[]): BlockRun[] {
  const desk = layDesk();
  try {
    const mark = `--- ${randomUUID()}`;
    const pieces = outputOf(blocks, mark, desk).split(`\n${mark}\n`);
    const passed = pieces.length - 1;
    return blocks
      .slice(0, passed + 1)
      .map((block, index) => ({ block, output: pieces[index] ?? '', passed: index < passed }));
  } finally {
    removeContainers(blocks, desk);
    removeClusters(blocks, desk);
    rmSync(desk.folder, { recursive: true, force: true });
  }
}

interface Desk {
  readonly folder: string;
  /** Empty at first, and the working folder of the reader. */
  readonly work: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The program that this is run with. */
export const PROGRAM: string = resolve(process.env['LIFEHOOK_TEST_PROGRAM'] ?? 'dist/lifehook.js');

/** The reader has `lifehook` on the PATH, and an empty folder; local clusters are kept beside it. */
function layDesk(): Desk {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lifehook-document-')));
  const [work, bin, run] = [join(folder, 'work'), join(folder, 'bin'), join(folder, 'run')];
  for (const path of [work, bin, run]) mkdirSync(path, { mode: 0o700 });
  const script = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`;
  writeFileSync(join(bin, 'lifehook'), script, { mode: 0o755 });
  const path = `${bin}:${process.env['PATH'] ?? ''}`;
  const folders = { XDG_RUNTIME_DIR: run, XDG_STATE_HOME: folder };
  return { folder, work, env: { ...process.env, PATH: path, ...folders } };
}

/** With the mark behind each block that has passed. */
function outputOf(blocks: readonly Block[], mark: string, { folder, work, env }: Desk): string {
  const marked = blocks.map(({ text }) => `${text}\necho; echo '${mark}'\n`);
  // Into a file, not a pipe: a container in the background must not keep anybody waiting.
  const output = join(folder, 'output');
  const head = `set -euo pipefail\numask 022\nexec >'${output}' 2>&1\n`;
  spawnSync('bash', ['-c', head + marked.join('')], {
    cwd: work,
    env,
    stdio: 'ignore',
    timeout: DOCUMENT_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  return readFileSync(output, 'utf8');
}

/** Those that a document leaves, or that a block which failed has left. */
function removeContainers(blocks: readonly Block[], { work, env }: Desk): void {
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

/** A document takes its cluster down; a block that has failed has not. */
function removeClusters(blocks: readonly Block[], { work, env }: Desk): void {
  if (!blocks.some(({ text }) => /^lifehook up\b/m.test(text))) return;
  const limits = { cwd: work, env, timeout: COMMAND_TIMEOUT_MS } as const;
  spawnSync('lifehook', ['down', '--delete'], limits);
}
