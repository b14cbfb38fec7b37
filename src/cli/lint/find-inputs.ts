/**
 * Finds the inputs of a lint: manifests, hook directories, pipelines, kustomizations. Directories are walked. Skipped
 * paths are reported with the reason. A path that does not exist is a problem.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import type { Problem } from '../../model/problem.ts';
import { isHookFile, standardInput } from '../by-file/look-at-path.ts';
import { unreadablePath } from '../report-failure.ts';
import type { ManifestFile, Skipped } from './manifests/lint-manifests.ts';

export interface Inputs {
  readonly manifests: ManifestFile[];
  readonly kustomizations: ManifestFile[];
  readonly hooks: Set<string>;
  /** Paths of skaffold.yaml files. */
  readonly pipelines: Set<string>;
  readonly skipped: Skipped[];
  readonly problems: Problem[];
}

/** Maximum number of files in one call; more suggest that the user named a wrong directory. */
const FILES_MAX = 10_000;
const DEPTH_MAX = 40;

const KUSTOMIZATIONS = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
const PIPELINES = ['skaffold.yaml', 'skaffold.yml'];
const MANIFEST = /\.(?:ya?ml|json)$/iu;

export async function findInputs(paths: readonly string[]): Promise<Inputs> {
  const inputs: Inputs = {
    manifests: [],
    kustomizations: [],
    hooks: new Set(),
    pipelines: new Set(),
    skipped: [],
    problems: [],
  };
  const finder = new Finder(inputs);
  for (const path of paths) await finder.add(path);
  return inputs;
}

class Finder {
  readonly #inputs: Inputs;
  readonly #seen = new Set<string>();
  /** Number of files read or skipped; a file named twice counts twice. */
  #met = 0;

  constructor(inputs: Inputs) {
    this.#inputs = inputs;
  }

  async add(path: string): Promise<void> {
    if (path === '-') {
      this.#sort({ file: 'stdin', text: await standardInput(), isNamed: true });
      return;
    }
    try {
      const before = this.#met;
      if ((await stat(path)).isDirectory()) {
        await this.#walk(path, 0);
        if (this.#met === before) this.#inputs.problems.push(nothingIn(path));
      } else await this.#read(path, true);
    } catch (error) {
      this.#failed(error);
    }
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
        if (depth < DEPTH_MAX) await this.#walk(path, depth + 1);
      } else if (MANIFEST.test(entry.name) || KUSTOMIZATIONS.includes(entry.name)) {
        await this.#readFound(path);
      }
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
    if (this.#seen.has(path)) return;
    this.#seen.add(path);
    if (this.#seen.size > FILES_MAX) {
      if (this.#seen.size === FILES_MAX + 1) this.#inputs.problems.push(tooMany(path));
      return;
    }
    const name = basename(path);
    // lifehook.yaml is read together with its pipeline.
    if (name === 'lifehook.yaml') {
      await this.#addPipelineOf(path);
      return;
    }
    this.#sort({ file: path, text: await readFile(path, 'utf8'), isNamed });
  }

  #sort(found: ManifestFile): void {
    const { file, text } = found;
    const name = basename(file);
    if (PIPELINES.includes(name) || PIPELINE.test(text)) this.#inputs.pipelines.add(file);
    else if (KUSTOMIZATIONS.includes(name) || KUSTOMIZATION.test(text)) {
      this.#inputs.kustomizations.push(found);
    } else if (KUBECONFIG.test(text)) this.#skip(file, 'a kubeconfig');
    else if (isHooks(text)) this.#inputs.hooks.add(dirname(file));
    else this.#inputs.manifests.push(found);
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
    return `a Helm chart: lint the output of \`helm template ${folder}\``;
  }
  if (names.has('config.json') && names.has('rootfs')) {
    return 'a bundle: its hooks are checked when it runs (see `lifehook explain`)';
  }
  return null;
}

const PIPELINE = /^["']?apiVersion["']?:\s*["']?skaffold\//mu;
const KUSTOMIZATION = /^["']?apiVersion["']?:\s*["']?kustomize\.config\.k8s\.io\//mu;
const KUBECONFIG = /^["']?kind["']?:\s*["']?Config["']?\s*$/mu;

/** Characters; a longer JSON file is no hook file. */
const HOOK_CHARACTERS_MAX = 1_048_576;

function isHooks(text: string): boolean {
  if (text.length > HOOK_CHARACTERS_MAX || !/^\s*\{/u.test(text)) return false;
  try {
    return isHookFile(JSON.parse(text));
  } catch {
    // A hook file that is truncated or lacks a comma: `oci lint` explains the mistake better than a manifest parser.
    return /"hook"\s*:/u.test(text) && /"stages?"\s*:/u.test(text);
  }
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
