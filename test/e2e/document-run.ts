/**
 * Executes the code blocks of a document one after another, in one bash and one directory, as a reader who copies them
 * would.
 */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { layDesk } from './document-desk.ts';
import { DocumentShell } from './document-shell.ts';
import { differenceOf, idsOf, stepsOf } from './document-transcript.ts';
import { blocksOf, missingLine, type Block } from './markdown.ts';

/** "sh" and "console" need only Node, kubectl and a POSIX host; "sh system" also needs root, runc, crun or podman. */
export type Kind = 'sh' | 'console' | 'sh system';

/** Not writable by others, because such hook files are refused. */
const FILE_MODE = 0o644;

export function allDocuments(): string[] {
  const pages = readdirSync('docs', { withFileTypes: true, recursive: true })
    .filter(({ name }) => name.endsWith('.md'))
    .map(({ parentPath, name }) => join(parentPath, name));
  return ['README.md', ...pages.toSorted()];
}

/**
 * The file into which the reader must copy a block, from an info string such as "yaml web.yaml"; null if there is none.
 */
export function namedFile({ info }: Block): string | null {
  return /^(?:yaml|json) (\S+)$/.exec(info)?.[1] ?? null;
}

/** README.md and everything in docs except the decisions, which describe the past. */
export function documents(): string[] {
  return allDocuments().filter((path) => !path.startsWith('docs/decisions/'));
}

export function blocksIn(document: string): Block[] {
  return blocksOf(readFileSync(document, 'utf8'));
}

/** Directories that readers of some documents need from a checkout, by document. */
const IN_CHECKOUT: Readonly<Record<string, string>> = {
  'README.md': 'examples',
  'docs/install.md': 'deploy',
};

export interface RunRequest {
  readonly kinds: readonly Kind[];
  /** Texts of blocks to skip. */
  readonly without: ReadonlySet<string>;
  /** Additional variables of the reader's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a document up to its first failure: a block that fails or whose output differs. Returns it with the output. */
export async function failuresOf(document: string, request: RunRequest): Promise<string[]> {
  const { kinds, without, env = {} } = request;
  const blocks = blocksIn(document).filter(
    (block) =>
      namedFile(block) !== null ||
      (kinds.some((kind) => kind === block.info) && !without.has(block.text)),
  );
  const desk = layDesk(env);
  const directory = IN_CHECKOUT[document];
  if (directory !== undefined) symlinkSync(resolve(directory), join(desk.work, directory));
  try {
    using shell = new DocumentShell(desk);
    for (const block of blocks) {
      const failures = await execute(block, shell, desk.work);
      if (failures.length > 0) return failures.map((one) => `${document}:${block.line} ${one}`);
    }
    return [];
  } finally {
    desk.clear(blocks);
  }
}

async function execute(block: Block, shell: DocumentShell, work: string): Promise<string[]> {
  const name = namedFile(block);
  if (name === null) return block.info === 'console' ? play(block, shell) : run(block, shell);
  const path = join(work, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${block.text}\n`, { mode: FILE_MODE });
  return [];
}

async function run(block: Block, shell: DocumentShell): Promise<string[]> {
  const { output, passed } = await shell.run(block.text);
  if (!passed) return [`fails. It printed:\n${output}`];
  const line = missingLine(block, output);
  return line === null ? [] : [`does not print "${line}" but:\n${output}`];
}

/**
 * Runs the commands of a transcript, and returns what differs from it. Ignores the exit codes of the commands: the
 * transcript shows whether they succeed.
 */
async function play({ text }: Block, shell: DocumentShell): Promise<string[]> {
  const ids = new Map<string, string>();
  for (const { command, shown, isInterrupted } of stepsOf(text)) {
    const known = command.replaceAll(/\b[0-9a-f]{8}\b/g, (id) => ids.get(id) ?? id);
    const isAllThere = (output: string): boolean => differenceOf(shown, output) === null;
    const { output, passed } = await shell.run(
      `{ ${known}\n} || true`,
      isInterrupted ? isAllThere : undefined,
    );
    const difference = passed ? differenceOf(shown, output) : 'it does not end';
    if (difference !== null)
      return [`is not what "${known}" prints: ${difference}. All:\n${output}`];
    for (const [reported, came] of idsOf(shown, output)) ids.set(reported, came);
  }
  return [];
}
