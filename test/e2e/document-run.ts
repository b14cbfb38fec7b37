/**
 * Executes a document: its blocks with commands, one after the other in one bash and one directory, as a reader who
 * copies them would.
 */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { layDesk } from './document-desk.ts';
import { DocumentShell } from './document-shell.ts';
import { differenceOf, idsOf, stepsOf } from './document-transcript.ts';
import { blocksOf, missingLine, type Block } from './markdown.ts';

/** "sh" and "console" need Node, kubectl and a POSIX host only; "sh system" also root, runc, crun or podman. */
export type Kind = 'sh' | 'console' | 'sh system';

/** Hook files that others may write to are refused. */
const FILE_MODE = 0o644;

export function allDocuments(): string[] {
  const pages = readdirSync('docs', { withFileTypes: true, recursive: true })
    .filter(({ name }) => name.endsWith('.md'))
    .map(({ parentPath, name }) => join(parentPath, name));
  return ['README.md', ...pages.toSorted()];
}

/** The name of the file into which the reader copies a block: "yaml web.yaml". */
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

/** Documents for readers with a checkout: the directory that they use. */
const IN_CHECKOUT: Readonly<Record<string, string>> = {
  'README.md': 'examples',
  'docs/install.md': 'deploy',
};

export interface RunRequest {
  readonly kinds: readonly Kind[];
  /** Texts of blocks that are left out. */
  readonly without: ReadonlySet<string>;
  /** Additional variables of the reader's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Failures of a document: each block that fails or whose output differs, with the output. It stops at the first. */
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

/** The transcript shows whether its commands succeed. */
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
