/**
 * Gathers the configurations of a file, without duplicates, each after its requirements. A required configuration gets
 * the profiles that its `activeProfiles` activate and, as in skaffold, those of the command line.
 */
import type { Located } from '../../../model/located-tree.ts';
import { nearestWord } from '../../../model/nearest-word.ts';
import type { Position, Problem } from '../../../model/problem.ts';
import { activeProfiles, asksForContext } from './activation.ts';
import { applyProfiles } from './apply-profiles.ts';
import { didYouMean, errorOf } from './config-problem.ts';
import { convertModule } from './convert/convert-module.ts';
import { REFUSED_SOURCES } from './field-effects.ts';
import { judgeFields, refusedProblem } from './judge-fields.ts';
import type { ModuleConfig, UnusedField } from './model.ts';
import { folderOf, resolveFrom } from './paths.ts';
import { type FileConfig, readConfigFile, type ReadFile } from './read-file.ts';
import { listAt, partAt, textAt } from './tree-edit.ts';

const FILE_NAME = 'skaffold.yaml';
const MODULES_MAX = 500;

export interface GatherOptions {
  readonly facts: ConfigFacts;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly command: string;
  /** The context of the command line, which overrides that of the kubeconfig. */
  readonly kubeContext: string | null;
  /** Profiles of the command line; "-name" deactivates one. */
  readonly profiles: readonly string[];
  /** Whether fields that are not implemented cause a warning instead of an error. */
  readonly ignoreUnsupported: boolean;
}

interface Wanted {
  readonly file: string;
  /** Names of configurations; empty: all configurations of the file. */
  readonly names: readonly string[];
  readonly profiles: readonly string[];
  /** The position of the requirement; null: the user requested the file. */
  readonly at: Position | null;
  readonly by: string | null;
}

export class ModuleGatherer {
  readonly modules: ModuleConfig[] = [];
  readonly profiles: string[] = [];
  readonly problems: Problem[] = [];
  readonly unused: UnusedField[] = [];
  /** The key of each module, in the order of `modules`. `requires` uses the same keys. */
  readonly keys: string[] = [];
  /** For each module's key: the keys of its direct requirements. */
  readonly requires: Map<string, string[]> = new Map();
  readonly #options: GatherOptions;
  readonly #files = new Map<string, ReadFile | null>();
  /** Keyed by file and index of a configuration in it: the profiles with which it was read; null: it is being read. */
  readonly #taken = new Map<string, { profiles: string | null }>();
  readonly #names = new Map<string, string>();
  readonly #knownProfiles = new Set<string>();
  #context: Promise<string | null> | undefined;

  constructor(options: GatherOptions) {
    this.#options = options;
  }

  async gather(file: string): Promise<void> {
    await this.#take({ file, names: [], profiles: this.#options.profiles, at: null, by: null });
    for (const name of this.#options.profiles.map((one) => one.replace(/^-/, ''))) {
      if (this.#knownProfiles.has(name)) continue;
      const at = { file, line: 1, column: 1 };
      const next = whichProfile(name, [...this.#knownProfiles]);
      this.problems.push(
        errorOf('LHL123', { at, message: `There is no profile "${name}".`, next }),
      );
    }
  }

  async #take(wanted: Wanted): Promise<void> {
    const read = await this.#read(wanted);
    for (const [index, config] of (read?.configs ?? []).entries()) {
      for (const one of listAt(config.tree, 'profiles')) {
        this.#knownProfiles.add(textAt(one, 'name') ?? '');
      }
      const { names } = wanted;
      if (names.length > 0 && (config.name === null || !names.includes(config.name))) continue;
      const key = `${wanted.file}#${index}`;
      this.#link(wanted.by, key);
      await this.#visit(config, { ...wanted, key });
    }
    if (read !== null) this.#checkNames(wanted, read);
  }

  #link(by: string | null, key: string): void {
    if (by !== null) this.requires.set(by, [...(this.requires.get(by) ?? []), key]);
  }

  #checkNames({ names, file, at }: Wanted, { configs }: ReadFile): void {
    const known = configs.flatMap(({ name }) => (name === null ? [] : [name]));
    for (const name of names.filter((one) => !known.includes(one))) {
      const message = `${file} has no configuration "${name}".`;
      this.#refuse('LHL130', at, { message, next: didYouMean(name, known) });
    }
  }

  async #read({ file, at }: Wanted): Promise<ReadFile | null> {
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    const text = await this.#options.facts.readText(file);
    const read = text === null ? null : readConfigFile(file, text);
    this.#files.set(file, read);
    if (read === null) {
      const message = `${file} does not exist.`;
      const next = at === null ? 'Name the file with --filename.' : 'Correct the path.';
      this.#refuse('LHL130', at ?? { file, line: 1, column: 1 }, { message, next });
    }
    this.problems.push(...(read?.problems ?? []));
    return read;
  }

  async #visit(config: FileConfig, wanted: Wanted & { key: string }): Promise<void> {
    const { file, key, at } = wanted;
    const { names, tree } = await this.#profiled(config, wanted.profiles);
    const before = this.#taken.get(key);
    const chosen = names.toSorted().join(',');
    if (before !== undefined) {
      const title = config.name ?? file;
      if (before.profiles === null) {
        const message = `The configuration "${title}" requires itself through other configurations.`;
        this.#refuse('LHL132', at, { message, next: 'Remove one of these requirements.' });
      } else if (before.profiles !== chosen) {
        const message = `"${title}" is required with the profiles [${chosen}] and with [${before.profiles}].`;
        this.#refuse('LHL133', at, { message, next: 'Activate the same profiles everywhere.' });
      }
      return;
    }
    this.#checkName(config, file);
    this.#taken.set(key, { profiles: null });
    for (const dependency of listAt(config.tree, 'requires')) {
      await this.#require(dependency, { file, active: names, by: key });
    }
    this.#taken.set(key, { profiles: chosen });
    if (this.modules.length >= MODULES_MAX) {
      const message = `A pipeline has at most ${MODULES_MAX} configurations.`;
      this.#refuse('LHL130', at, { message, next: 'Split it.' });
      return;
    }
    for (const name of names) if (!this.profiles.includes(name)) this.profiles.push(name);
    const { refused, idle } = judgeFields(tree);
    const { ignoreUnsupported } = this.#options;
    this.problems.push(...refused.map((one) => refusedProblem(one, ignoreUnsupported)));
    this.unused.push(...config.unused, ...idle);
    this.keys.push(key);
    this.modules.push(convertModule(tree, { file, apiVersion: config.apiVersion }));
  }

  #checkName({ name, tree }: FileConfig, file: string): void {
    if (name === null) return;
    const other = this.#names.get(name);
    if (other !== undefined && other !== file) {
      const message = `The name "${name}" is taken already, by ${other}.`;
      this.#refuse('LHL131', partAt(tree, 'metadata', 'name')?.at ?? tree.at, {
        message,
        next: 'Rename one of the two.',
      });
    }
    this.#names.set(name, file);
  }

  async #profiled(
    { tree }: FileConfig,
    asked: readonly string[],
  ): Promise<{ names: readonly string[]; tree: FileConfig['tree'] }> {
    const { env, command, kubeContext, facts } = this.#options;
    if (kubeContext === null && asksForContext(tree)) this.#context ??= facts.kubeContext();
    const context = kubeContext ?? (await this.#context) ?? null;
    const { names, problems } = activeProfiles(tree, asked, { env, command, kubeContext: context });
    const applied = applyProfiles(tree, names);
    this.problems.push(...problems, ...applied.problems);
    return { names, tree: applied.tree };
  }

  async #require(
    dependency: Located,
    { file, active, by }: { file: string; active: readonly string[]; by: string },
  ): Promise<void> {
    const fields = dependency.kind === 'map' ? [...dependency.fields] : [];
    for (const [name, { keyAt }] of fields) {
      const why = REFUSED_SOURCES[`ConfigDependency.${name}`];
      if (why === undefined) continue;
      const message = `requires.${name} is not supported: ${why}.`;
      const next =
        'Put a copy of that source next to this project, and require the copy by `path`.';
      this.#refuse('LHL134', keyAt, { message, next });
      return;
    }
    const path = textAt(dependency, 'path');
    const target = path === undefined ? file : resolveFrom(folderOf(file), path);
    const isFolder = target !== file && (await this.#options.facts.isFolder(target));
    const turnedOn = listAt(dependency, 'activeProfiles').flatMap((one) => {
      const activators = listAt(one, 'activatedBy').map((name) => textAt(name) ?? '');
      const name = textAt(one, 'name') ?? '';
      const isOn = activators.length === 0 || activators.some((other) => active.includes(other));
      return isOn ? [name] : [];
    });
    await this.#take({
      file: isFolder ? `${target}/${FILE_NAME}` : target,
      names: listAt(dependency, 'configs').map((name) => textAt(name) ?? ''),
      profiles: [...new Set([...turnedOn, ...this.#options.profiles])],
      at: dependency.at,
      by,
    });
  }

  #refuse(
    code: string,
    at: Position | null,
    { message, next }: { message: string; next: string },
  ): void {
    this.problems.push(
      errorOf(code, { at: at ?? { file: '', line: 1, column: 1 }, message, next }),
    );
  }
}

function whichProfile(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'The file has no profiles: leave the option out.';
  const meant = nearestWord(name, known);
  const list = `The profiles are ${known.toSorted().join(', ')}.`;
  return meant === null ? list : `Did you mean "${meant}"? ${list}`;
}

/**
 * The input of reading a pipeline: files, and the context of the kubeconfig. The other modules of this directory get
 * their data from here, and are pure.
 */
export interface ConfigFacts {
  /** The text of a file; null: it does not exist. Rejects if it cannot be read. */
  readText(path: string): Promise<string | null>;
  isFolder(path: string): Promise<boolean>;
  /** The current context; null: unknown. Called at most once while a pipeline is read. */
  kubeContext(): Promise<string | null>;
}
