/**
 * Explains the hooks of one container: why each hook file applies or not, the order in every stage with the existing
 * hooks of config.json, and the change to config.json. Pure. It decides exactly as injection does.
 */
import type { Problem } from '../../model/problem.ts';
import type { ConfigObject } from './config/config-text.ts';
import { isObject } from './config/config-text.ts';
import { explainHooks, type ExplainedFile } from './hooksd/explain.ts';
import type { ContainerFacts, HookFile } from './hooksd/hook-file.ts';
import type { LoadedSet } from './hooksd/resolve.ts';
import type { Selecting, Selection } from './hooksd/select.ts';
import { stages, type ExtensionStage, type OciHook, type Stage } from './points.ts';
import { missingHooks } from './config/same-hook.ts';

export interface Explanation {
  readonly facts: ContainerFacts;
  /** Every file of every directory, including masked and bad ones. */
  readonly files: readonly ExplainedFile[];
  /** For each stage that has hooks: the hooks, in their order. */
  readonly order: readonly StageOrder[];
  /** The change to config.json as a JSON Patch (RFC 6902); empty: nothing to add. */
  readonly patch: readonly PatchOperation[];
  readonly problems: readonly Problem[];
}

export interface StageOrder {
  readonly stage: Stage | ExtensionStage;
  readonly hooks: readonly OrderedHook[];
}

export interface OrderedHook {
  readonly path: string;
  readonly args?: readonly string[];
  /** The hook file, or "config.json" for an existing hook. */
  readonly from: string;
}

export interface PatchOperation {
  readonly op: 'add' | 'replace';
  readonly path: string;
  readonly value: unknown;
}

export interface ExplainOptions extends Omit<Selecting, 'trace'> {
  readonly set: LoadedSet;
  readonly facts: ContainerFacts;
  /** The parsed config.json; empty if only annotations were given. */
  readonly config: ConfigObject;
}

export function explain({ set, facts, config, ...selecting }: ExplainOptions): Explanation {
  const { files, selection } = explainHooks(set, facts, selecting);
  return {
    facts,
    files,
    order: orderOf(selection, config),
    patch: patchOf(selection, config),
    problems: [...set.problems, ...selection.problems],
  };
}

function orderOf(selection: Selection, config: ConfigObject): StageOrder[] {
  const injected = stages.map((stage) => {
    const existing = existingHooks(config, stage);
    const selected = selection.stages[stage];
    const missing = missingHooks(
      existing,
      selected.map(({ hook }) => hook),
    );
    const added = selected.filter(({ hook }) => missing.includes(hook));
    return { stage, hooks: [...existing.map(fromConfig), ...added.map(fromFile)] };
  });
  const apart = (['precreate', 'postexit'] as const).map((stage) => ({
    stage,
    hooks: selection.extensions[stage].map(fromFile),
  }));
  return [...injected, ...apart].filter(({ hooks }) => hooks.length > 0);
}

function fromConfig(entry: unknown): OrderedHook {
  const hook = isObject(entry) ? entry : {};
  const args = Array.isArray(hook['args']) ? { args: hook['args'].map(String) } : {};
  const path = typeof hook['path'] === 'string' ? hook['path'] : '';
  return { path, ...args, from: 'config.json' };
}

function fromFile({ file, hook }: { file: HookFile; hook: OciHook }): OrderedHook {
  const args = hook.args === undefined ? {} : { args: hook.args };
  return { path: hook.path, ...args, from: `${file.folder}/${file.name}` };
}

/**
 * Worked example: config.json has `{"hooks":{"poststop":[]}}`, and there are hooks for poststop and one other stage.
 * The patch adds an item to the existing list, and adds a list for the other stage.
 */
function patchOf(selection: Selection, config: ConfigObject): PatchOperation[] {
  const hooks = isObject(config['hooks']) ? config['hooks'] : undefined;
  const added = stages.flatMap((stage): [Stage, OciHook[]][] => {
    const wanted = selection.stages[stage].map(({ hook }) => hook);
    const missing = missingHooks(existingHooks(config, stage), wanted);
    return missing.length === 0 ? [] : [[stage, missing]];
  });
  if (added.length === 0) return [];
  if (hooks === undefined) {
    const op = 'hooks' in config ? 'replace' : 'add';
    return [{ op, path: '/hooks', value: Object.fromEntries(added) }];
  }
  return added.flatMap(([stage, list]): PatchOperation[] => {
    if (!(stage in hooks)) return [{ op: 'add', path: `/hooks/${stage}`, value: list }];
    if (hooks[stage] === null) return [{ op: 'replace', path: `/hooks/${stage}`, value: list }];
    return list.map((value) => ({ op: 'add', path: `/hooks/${stage}/-`, value }));
  });
}

function existingHooks(config: ConfigObject, stage: Stage): readonly unknown[] {
  const hooks = config['hooks'];
  const list = isObject(hooks) ? hooks[stage] : undefined;
  return Array.isArray(list) ? (list as unknown[]) : [];
}
