/**
 * Applies lifehook.yaml to a pipeline: policies (keyed by the address of a hook), hooks that only this file can define,
 * and folder builders of images. An unknown address is reported with the nearest known one. Pure, except that the first
 * lifehook.yaml loads the schema.
 */
import { readTrees, type Located } from '../../../model/located-tree.ts';
import { LifehookError, type Position, type Problem } from '../../../model/problem.ts';
import {
  DEFAULT_POLICY,
  type HookPolicy,
  NO_HOOKS,
  type PipelineHook,
  type PipelinePhase,
  type StageHooks,
  type When,
} from '../hooks/model.ts';
import { pathGlob } from '../hooks/glob.ts';
import { curlyQuotes } from './read-file.ts';
import { describe, didYouMean, errorOf } from './config-problem.ts';
import { convertHook } from './convert/convert-hooks.ts';
import { readHookItem, type HookPlace } from './hook-item.ts';
import type { LifehookFile, PolicyFields } from './lifehook-schema.ts';
import { mapStages, modulePrefix } from './map-hooks.ts';
import type { OwnHooks, PipelineConfig } from './model.ts';
import { listAt, partAt, plainValue, withoutField } from './tree-edit.ts';

const OWN_STAGES = ['test', 'verify', 'portForward', 'cleanup', 'ready'] as const;
const NOT_OF_ACTIONS = Object.keys(DEFAULT_POLICY).concat('name', 'lock', 'onLeftover');

export const NO_OWN_HOOKS: OwnHooks = {
  test: NO_HOOKS,
  verify: NO_HOOKS,
  portForward: NO_HOOKS,
  cleanup: NO_HOOKS,
  ready: NO_HOOKS,
};

export interface Attached {
  readonly config: PipelineConfig;
  readonly problems: readonly Problem[];
}

/** @throws LifehookError if the file does not match its schema. */
export async function attachLifehook(
  config: PipelineConfig,
  file: string,
  text: string,
): Promise<Attached> {
  const { trees, problems } = readTrees(file, text);
  const [tree] = trees;
  if (problems.length > 0) throw new LifehookError(problems);
  if (tree === undefined) return { config, problems: [] };
  const parsed = await parseFile(tree);
  return attach(config, tree, parsed);
}

async function parseFile(tree: Located): Promise<LifehookFile> {
  const { parseLifehook } = await import('./lifehook-schema.ts');
  const parsed = parseLifehook(plainValue(tree));
  if (parsed.kind === 'read') return parsed.file;
  const problems = parsed.issues.map((issue): Problem => {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
    const { part, at } = nearest(tree, path);
    const where = path.join('.') || 'the file';
    const [key] = issue.keys;
    if (key !== undefined) {
      const keyAt = part.kind === 'map' ? part.fields.get(key)?.keyAt : undefined;
      const message = `"${key}" is not known under ${where}.`;
      return errorOf('LHL140', { at: keyAt ?? at, message, next: didYouMean(key, issue.known) });
    }
    const message = `${where}: ${issue.message}; received ${describe(part)}.`;
    return errorOf('LHL140', { at, message, next: `Correct ${where}.` });
  });
  throw new LifehookError([...curlyQuotes(tree), ...problems]);
}

function nearest(
  tree: Located,
  path: readonly (string | number)[],
): { part: Located; at: Position } {
  for (let length = path.length; length > 0; length -= 1) {
    const part = partAt(tree, ...path.slice(0, length));
    if (part !== undefined) return { part, at: part.at };
  }
  return { part: tree, at: tree.at };
}

function attach(config: PipelineConfig, tree: Located, parsed: LifehookFile): Attached {
  const problems: Problem[] = [];
  const known: string[] = [];
  const places: string[] = [];
  const images: string[] = [];
  const modules = config.modules.map((module, index) => {
    const prefix = modulePrefix(config.modules, index);
    const staged = mapStages(module, (stage, place) => {
      const address = prefix + place;
      places.push(address);
      const block = partAt(tree, 'stages', address);
      const spot = {
        address,
        phase: phaseOf(place),
        place: placeOf(place),
        folder: config.workDir,
      };
      const lists = {
        ...NO_HOOKS,
        before: stage.before,
        after: stage.after,
        onError: ownList(block, { ...spot, when: 'onError' }, problems),
        finally: ownList(block, { ...spot, when: 'finally' }, problems),
      };
      return mapHooks(lists, (hook) => {
        known.push(hook.address);
        const fields = Object.hasOwn(parsed.policies, hook.address)
          ? parsed.policies[hook.address]
          : undefined;
        if (fields === undefined) return hook;
        return withPolicy(hook, fields);
      });
    });
    const artifacts = staged.build.artifacts.map((artifact) => {
      images.push(artifact.image);
      const found = Object.hasOwn(parsed.folderBuilders, artifact.image)
        ? parsed.folderBuilders[artifact.image]
        : undefined;
      if (found === undefined) return artifact;
      const { command, workingDir, ...rest } = found;
      const builder = {
        kind: 'folder' as const,
        ...rest,
        ...(command !== undefined && { command }),
        ...(workingDir !== undefined && { workingDir }),
      };
      return { ...artifact, builder };
    });
    return { ...staged, build: { ...staged.build, artifacts } };
  });
  const own = ownHooksOf(tree, config.workDir, problems);
  problems.push(
    ...unknownNames(tree, 'policies', known),
    ...unknownNames(tree, 'stages', places),
    ...unknownNames(tree, 'folderBuilders', images),
    ...badGlobs(tree),
  );
  return { config: { ...config, modules, ownHooks: own }, problems };
}

function unknownNames(
  tree: Located,
  section: string,
  known: readonly string[],
): readonly Problem[] {
  const map = partAt(tree, section);
  if (map?.kind !== 'map') return [];
  return [...map.fields]
    .filter(([name]) => !known.includes(name))
    .map(([name, { keyAt }]) => {
      const message = `${section} has an entry "${name}", which is not in this pipeline.`;
      return errorOf('LHL141', { at: keyAt, message, next: didYouMean(name, known) });
    });
}

function badGlobs(tree: Located, name = ''): readonly Problem[] {
  if (tree.kind === 'scalar') return [];
  if (tree.kind === 'map') {
    return [...tree.fields].flatMap(([field, { value }]) => badGlobs(value, field));
  }
  if (!['paths', 'inputs', 'outputs', 'ignore'].includes(name)) {
    return tree.items.flatMap((item) => badGlobs(item));
  }
  return tree.items.flatMap((item) => {
    const glob = item.kind === 'scalar' ? pathGlob(item.text) : null;
    if (glob?.kind !== 'wrong') return [];
    const message = `This glob matches no file: ${glob.reason}.`;
    return [errorOf('LHL116', { at: item.at, message, next: 'Correct the glob.' })];
  });
}

function ownHooksOf(tree: Located, folder: string, problems: Problem[]): OwnHooks {
  const stageOf = (phase: (typeof OWN_STAGES)[number]): StageHooks => {
    const spot = { address: phase, phase, place: 'own', folder } as const;
    const list = (when: When): readonly PipelineHook[] =>
      ownList(partAt(tree, phase), { ...spot, when }, problems);
    return {
      before: list('before'),
      after: list('after'),
      onError: list('onError'),
      finally: list('finally'),
    };
  };
  return {
    test: stageOf('test'),
    verify: stageOf('verify'),
    portForward: stageOf('portForward'),
    cleanup: stageOf('cleanup'),
    ready: stageOf('ready'),
  };
}

interface OwnSpot {
  readonly address: string;
  readonly phase: PipelinePhase;
  readonly place: HookPlace;
  readonly folder: string;
  readonly when: When;
}

/** Reads hooks whose policy is part of the item. */
function ownList(
  block: Located | undefined,
  spot: OwnSpot,
  problems: Problem[],
): readonly PipelineHook[] {
  return listAt(block, spot.when).flatMap((item, index) => {
    if (item.kind !== 'map') return [];
    const bare = NOT_OF_ACTIONS.reduce((one, name) => withoutField(one, name), item);
    problems.push(...readHookItem(bare, spot).problems);
    const fields = plainValue(item) as PolicyFields;
    return convertHook(bare, { ...spot, index }).map((hook) => withPolicy(hook, fields));
  });
}

function withPolicy(hook: PipelineHook, fields: PolicyFields): PipelineHook {
  const known = Object.entries(fields).filter(
    ([name, value]) => name !== 'name' && value !== undefined && NOT_OF_ACTIONS.includes(name),
  );
  const policy: HookPolicy = { ...hook.policy, ...Object.fromEntries(known) };
  return { ...hook, name: fields.name ?? hook.name, policy };
}

function mapHooks(stage: StageHooks, change: (hook: PipelineHook) => PipelineHook): StageHooks {
  return {
    before: stage.before.map((hook) => change(hook)),
    after: stage.after.map((hook) => change(hook)),
    onError: stage.onError.map((hook) => change(hook)),
    finally: stage.finally.map((hook) => change(hook)),
  };
}

function phaseOf(place: string): PipelinePhase {
  const [first = ''] = place.split('/');
  return first as PipelinePhase;
}

function placeOf(place: string): HookPlace {
  const [first = ''] = place.split('/');
  return first as HookPlace;
}
