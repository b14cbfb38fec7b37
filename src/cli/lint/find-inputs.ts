/**
 * Finds the inputs of a lint: manifests, hook directories, pipelines, kustomizations. Directories are walked, without
 * hidden files and directories, node_modules and links to directories. Other skipped paths are reported with the
 * reason. A path that does not exist is a problem.
 */
import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

import type { Problem } from '../../model/problem.ts';
import { shellWords } from '../../model/shell-words.ts';
import { fileType, notAFile } from '../not-a-file.ts';
import { readText, standardInput } from '../read-text.ts';
import { unreadablePath } from '../report-failure.ts';
import { type FileKind, fileKindOf, KUSTOMIZATIONS, PIPELINES } from './file-kind.ts';
import type { ManifestFile, Skipped } from './manifests/lint-manifests.ts';

export interface Inputs {
  readonly manifests: ManifestFile[];
  readonly kustomizations: ManifestFile[];
  /** Directories of which every hook file is checked. */
  readonly hooks: Set<string>;
  /** The hook files that the user named. */
  readonly hookFiles: Set<string>;
  /** Paths of skaffold.yaml files. */
  readonly pipelines: Set<string>;
  readonly skipped: Skipped[];
  readonly problems: Problem[];
}

/** Maximum number of files in one call; more suggest that the user named a wrong directory. */
const FILES_MAX = 10_000;
const DEPTH_MAX = 40;

const LIFEHOOK_FILE = 'lifehook.yaml';
const MANIFEST = /\.(?:ya?ml|json)$/iu;

/** Finds the files to lint below the given paths. `readInput` reads the text of the path `-`. */
export async function findInputs(
  paths: readonly string[],
  readInput: () => Promise<string> = standardInput,
): Promise<Inputs> {
  const inputs: Inputs = {
    manifests: [],
    kustomizations: [],
    hooks: new Set(),
    hookFiles: new Set(),
    pipelines: new Set(),
    skipped: [],
    problems: [],
  };
  const finder = new Finder(inputs, readInput);
  for (const path of paths) await finder.add(path);
  return inputs;
}

class Finder {
  readonly #inputs: Inputs;
  readonly #readInput: () => Promise<string>;
  /** Absolute paths; '-' is standard input. */
  readonly #seen = new Set<string>();
  /** Number of files read or skipped; a file named twice counts twice. */
  #met = 0;

  constructor(inputs: Inputs, readInput: () => Promise<string>) {
    this.#inputs = inputs;
    this.#readInput = readInput;
  }

  async add(path: string): Promise<void> {
    if (path === '-') {
      await this.#addStandardInput();
      return;
    }
    try {
      const before = this.#met;
      const stats = await stat(path);
      if (stats.isFile()) await this.#read(path, true);
      else if (!stats.isDirectory()) await this.#addPipe(path, stats);
      else {
        await this.#walk(path, 0);
        if (this.#met === before) this.#inputs.problems.push(nothingIn(path));
      }
    } catch (error) {
      this.#failed(error);
    }
  }

  async #addStandardInput(): Promise<void> {
    if (this.#seen.has('-')) return;
    this.#seen.add('-');
    const found = { file: 'stdin', text: await this.#readInput(), isNamed: true };
    const what = TOGETHER.get(fileKindOf(found.file, found.text));
    if (what === undefined) this.#sort(found);
    else this.#inputs.problems.push(needsFile(what));
  }

  /** Reads a manifest from a pipe, such as that of `<(command)` in a shell. Files of other kinds are read again. */
  async #addPipe(path: string, stats: Stats): Promise<void> {
    const isReadAgain = (text: string): boolean =>
      basename(path) === LIFEHOOK_FILE || TOGETHER.has(fileKindOf(path, text));
    const text = isReadAgain('') ? '' : await readText(path);
    if (isReadAgain(text)) this.#inputs.problems.push(notAFile(path, fileType(stats)));
    else this.#sort({ file: path, text, isNamed: true });
  }

  #failed(error: unknown): void {
    const problem = unreadablePath(error);
    if (problem === null) throw error;
    this.#inputs.problems.push(problem);
  }

  async #walk(folder: string, depth: number): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true });
    const otherwise = notWalked(folder, new Set(entries.map(({ name }) => name)));
    if (otherwise !== null) {
      this.#skip(folder, otherwise);
      return;
    }
    const shown = entries.filter(({ name }) => !name.startsWith('.') && name !== 'node_modules');
    for (const entry of shown.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (depth < DEPTH_MAX) await this.#walkFound(path, depth + 1);
        else this.#skip(path, `more than ${DEPTH_MAX} directories deep`);
      } else if (MANIFEST.test(entry.name) || KUSTOMIZATIONS.includes(entry.name)) {
        await this.#readFound(path);
      }
    }
  }

  async #walkFound(folder: string, depth: number): Promise<void> {
    try {
      await this.#walk(folder, depth);
    } catch (error) {
      this.#failed(error);
    }
  }

  async #readFound(path: string): Promise<void> {
    try {
      // Only regular files are read: reading a pipe would wait for its writer.
      if ((await stat(path)).isFile()) await this.#read(path, false);
      else this.#skip(path, 'no regular file');
    } catch (error) {
      this.#failed(error);
    }
  }

  async #read(path: string, isNamed: boolean): Promise<void> {
    this.#met += 1;
    const place = resolve(path);
    if (this.#seen.has(place)) return;
    this.#seen.add(place);
    if (this.#seen.size > FILES_MAX) {
      if (this.#seen.size === FILES_MAX + 1) this.#inputs.problems.push(tooMany(path));
      return;
    }
    const name = basename(path);
    // lifehook.yaml is read together with its pipeline.
    if (name === LIFEHOOK_FILE) {
      await this.#addPipelineOf(path);
      return;
    }
    this.#sort({ file: path, text: await readText(path), isNamed });
  }

  #sort(found: ManifestFile): void {
    const { file } = found;
    const kind = fileKindOf(file, found.text);
    switch (kind) {
      case 'pipeline':
        this.#inputs.pipelines.add(file);
        break;
      case 'kustomization':
        this.#inputs.kustomizations.push(found);
        break;
      case 'kubeconfig':
        this.#skip(file, 'a kubeconfig');
        break;
      case 'hooks':
        if (found.isNamed) this.#inputs.hookFiles.add(file);
        else this.#inputs.hooks.add(dirname(file));
        break;
      case 'manifest':
        this.#inputs.manifests.push(found);
        break;
      default:
        kind satisfies never;
    }
  }

  async #addPipelineOf(path: string): Promise<void> {
    const folder = dirname(path);
    const names = await readdir(folder);
    const pipeline = PIPELINES.find((name) => names.includes(name));
    if (pipeline !== undefined) this.#inputs.pipelines.add(join(folder, pipeline));
    else this.#inputs.problems.push(alone(path));
  }

  #skip(path: string, reason: string): void {
    this.#met += 1;
    this.#inputs.skipped.push({ path, reason });
  }
}

/** The reason why a directory is skipped as a whole; null: it is walked. */
function notWalked(folder: string, names: ReadonlySet<string>): string | null {
  if (names.has('Chart.yaml')) {
    return `a Helm chart: lint the output of \`${shellWords(['helm', 'template', folder])}\``;
  }
  if (names.has('config.json') && names.has('rootfs')) {
    return 'a bundle: its hooks are checked when it runs (see `lifehook explain`)';
  }
  return null;
}

/** The kinds of files whose check also reads other files by their paths, with the name of each kind in messages. */
const TOGETHER: ReadonlyMap<FileKind, string> = new Map([
  ['hooks', 'a hook file'],
  ['kustomization', 'a kustomization'],
  ['pipeline', 'a skaffold.yaml'],
]);

function needsFile(what: string): Problem {
  return {
    code: 'LHM027',
    severity: 'error',
    at: { file: 'stdin', line: 1, column: 1 },
    message: `Standard input is ${what}, which is checked together with the files of its directory.`,
    next: 'Name the file instead of -.',
  };
}

function nothingIn(folder: string): Problem {
  return {
    code: 'LHM022',
    severity: 'error',
    at: { file: folder, line: 1, column: 1 },
    message: `The directory ${folder} and its subdirectories have no .yaml, .yml or .json file.`,
    next: 'Name the directory of your manifests.',
  };
}

function tooMany(path: string): Problem {
  return {
    code: 'LHM023',
    severity: 'error',
    at: { file: path, line: 1, column: 1 },
    message: `There are more than ${FILES_MAX} files; this one and those after it are not read.`,
    next: 'Name a smaller directory.',
  };
}

function alone(path: string): Problem {
  return {
    code: 'LHM024',
    severity: 'error',
    at: { file: path, line: 1, column: 1 },
    message: 'A lifehook.yaml needs a skaffold.yaml next to it, and there is none.',
    next: 'Move it to the directory of its skaffold.yaml.',
  };
}
