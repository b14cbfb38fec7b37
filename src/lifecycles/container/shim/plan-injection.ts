/** Determines the entries in config.json for the selected hooks. Pure. */
import { LifehookError } from '../../../model/problem.ts';
import { type ConfigObject, isObject } from '../config/config-text.ts';
import type { SelectedHook, Selection } from '../hooksd/select.ts';
import { stages, type OciHook, type Stage } from '../points.ts';
import { missingHooks } from '../config/same-hook.ts';
import type { Additions } from '../config/splice.ts';
import {
  type HookCommand,
  readHookCommands,
  type RunnerStage,
  wrapHooks,
  type WrappedHook,
  wrappedStages,
} from './hook-command.ts';
import { DEFAULT_HOOK_SETTINGS, type RuntimeSettings } from './runtime-settings.ts';
import type { ByteText } from '../../../platform/platform.ts';
import { encodeUtf8 } from '../../../platform/byte-text.ts';

export interface InjectionPlan {
  readonly config: ConfigObject;
  readonly selection: Selection;
  readonly settings: RuntimeSettings;
  /** Path of `lifehook-hook`, the program that runs wrapped hooks. */
  readonly runner: string;
}

export function planInjection(plan: InjectionPlan): Additions {
  const additions: Partial<Record<Stage, readonly OciHook[]>> = {};
  for (const stage of stages) {
    const missing = missingIn(stage, plan);
    if (missing.length > 0) additions[stage] = entriesOf(stage, missing, plan);
  }
  return additions;
}

/** A hook with its index among all hooks selected for its stage. */
interface PlacedHook extends SelectedHook {
  readonly index: number;
}

/**
 * The hooks that are not in config.json yet. A hook is present if an engine with the same directories added it
 * unwrapped, or if an earlier injection wrapped it. Older engines add createRuntime hooks to prestart.
 */
function missingIn(stage: Stage, plan: InjectionPlan): PlacedHook[] {
  const { config, selection, settings, runner } = plan;
  const placed = selection.stages[stage].map((hook, index) => ({ ...hook, index }));
  const places: Stage[] =
    stage === 'createRuntime' && settings.prestart === 'createRuntime'
      ? ['prestart', 'createRuntime']
      : [stage];
  const present = places.flatMap((place) => hooksIn(config, place));
  const wrapped = present.flatMap((entry) => unwrapHooks(runner, entry));
  const bare = without(present, placed, ({ hook }) => ({ ...hook }));
  // In the runner an absent environment equals an empty one.
  return without(wrapped, bare, ({ hook }) => ({ ...hook, env: hook.env ?? [] }));
}

/**
 * The placed hooks that are not present. `entryOf` must return a new object for each hook, even if two files name the
 * same hook.
 */
function without(
  present: readonly unknown[],
  placed: readonly PlacedHook[],
  entryOf: (hook: PlacedHook) => OciHook,
): PlacedHook[] {
  const entries = new Map(placed.map((hook) => [entryOf(hook), hook]));
  return missingHooks(present, [...entries.keys()]).flatMap((entry) => entries.get(entry) ?? []);
}

/** The entries for the hooks of one stage: one entry with a runner for all of them, if the stage can be wrapped. */
function entriesOf(
  stage: Stage,
  placed: readonly PlacedHook[],
  { settings, runner }: InjectionPlan,
): OciHook[] {
  const wrapped = wrappedStages.find((name) => name === stage);
  if (!settings.wrap || wrapped === undefined) return placed.map(({ hook }) => hook);
  return [
    wrapHooks(
      runner,
      placed.map((hook) => wrappedHook(wrapped, hook, settings)),
    ),
  ];
}

export function wrappedHook(
  stage: RunnerStage,
  { file, hook, index }: PlacedHook,
  settings: RuntimeSettings,
): WrappedHook {
  const { onFailure, retries } = settings.hooks[file.name] ?? DEFAULT_HOOK_SETTINGS;
  const command = {
    stage,
    file: file.name,
    index,
    onFailure,
    retries: onFailure === 'retry' ? retries : 0,
    timeoutSeconds: hook.timeout ?? null,
    spool: settings.spool,
    path: hook.path,
    argv: hook.args ?? [hook.path],
  };
  return { command, env: hook.env };
}

/**
 * The hooks of a wrapped entry, as in their hook files, except that absent arguments have become the path alone, and an
 * absent environment an empty one.
 */
export function unwrapHooks(runner: string, entry: unknown): OciHook[] {
  if (!isObject(entry) || entry['path'] !== runner) return [];
  const env = textsIn(entry['env']);
  return commandsIn(textsIn(entry['args']).slice(1)).map((command, place) => {
    const { path, argv, timeoutSeconds } = command;
    const prefix = `${place}:`;
    const own = env.filter((text) => text.startsWith(prefix));
    const hook = { path, args: argv, env: own.map((text) => text.slice(prefix.length)) };
    return timeoutSeconds === null ? hook : { ...hook, timeout: timeoutSeconds };
  });
}

/** The hooks in the arguments of the runner; empty if another program has written the arguments. */
function commandsIn(args: readonly string[]): HookCommand[] {
  try {
    return readHookCommands(args);
  } catch (error) {
    if (error instanceof LifehookError) return [];
    throw error;
  }
}

function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((text): text is string => typeof text === 'string') : [];
}

/** The hooks of one stage in a config.json. */
export function hooksIn({ hooks }: ConfigObject, stage: Stage): readonly unknown[] {
  const list = isObject(hooks) ? hooks[stage] : undefined;
  return Array.isArray(list) ? list : [];
}

/**
 * Whether an earlier create may have added hooks to this config.json: its text then contains the path of the runner.
 * Only a text search, since nearly every bundle is new and needs no closer look.
 */
export function mayHoldWrapped(text: ByteText, runner: string): boolean {
  return text.includes(encodeUtf8(runner));
}
