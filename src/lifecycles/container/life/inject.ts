/** Adds chosen hooks to a config.json: as text for a new container, or in the file itself. */
import { LifehookError, type Problem } from '../../../model/problem.ts';
import type { ByteText } from '../../../platform/platform.ts';
import { readBundle, replaceConfig, type Bundle, type BundleReading } from '../config/bundle.ts';
import type { PlacedHook } from '../config/configured-hooks.ts';
import { gatherFacts } from '../facts.ts';
import { positionOf } from '../hooksd/check-hook.ts';
import type { ContainerFacts } from '../hooksd/hook-file.ts';
import { literalFirst } from '../hooksd/literal-first.ts';
import { loadHooks, type LoadPolicy, refusalsOf } from '../hooksd/load.ts';
import type { ScanOptions } from '../hooksd/scan.ts';
import { type PrestartMode, type SelectedHook, selectHooks } from '../hooksd/select.ts';
import { stages, type OciHook, type Stage } from '../points.ts';
import { spliceHooks } from '../config/splice.ts';
import type { Point } from './container.ts';

/**
 * Replaces a hook in config.json by the shim's runner for it,
 * which fulfils the specification on runtimes that do not.
 */
export type WrapHook = (
  placed: PlacedHook,
  at: { readonly stage: Stage; readonly index: number },
) => OciHook;

export interface Injection {
  readonly chosen: ChosenHooks;
  readonly changed: boolean;
}

/**
 * Implements `lifehook oci inject`: adds the hooks that a container of this bundle would get, but creates no container.
 */
export async function injectBundle(reading: BundleReading, source: HookSource): Promise<Injection> {
  const bundle = await readBundle(reading);
  const chosen = await chooseHooks(source, gatherFacts(bundle.config));
  const text = addHooks(bundle, chosen);
  const changed = text !== bundle.text;
  if (changed) await replaceConfig(reading.files, bundle, text);
  return { chosen, changed };
}

/** The bundle's text with the chosen hooks. Throws a LifehookError if they cannot be added. */
export function addHooks(
  bundle: Bundle,
  { hooks }: ChosenHooks,
  wrap: WrapHook = unwrapped,
): ByteText {
  const additions: Partial<Record<Stage, readonly OciHook[]>> = {};
  for (const stage of stages) {
    additions[stage] = (hooks[stage] ?? []).map((placed, index) => wrap(placed, { stage, index }));
  }
  const result = spliceHooks(bundle.text, additions, bundle.config);
  switch (result.kind) {
    case 'changed':
      return result.text;
    case 'unchanged':
      return bundle.text;
    case 'refused': {
      const { problem } = result;
      const at = problem.at === undefined ? {} : { at: { ...problem.at, file: bundle.configPath } };
      throw new LifehookError({ ...problem, ...at });
    }
    default:
      return result satisfies never;
  }
}

function unwrapped({ hook }: PlacedHook): OciHook {
  return hook;
}

/** The hook directories, and the rules for choosing hooks from them. */
export interface HookSource {
  readonly scan: ScanOptions;
  readonly policy: LoadPolicy;
  readonly prestart: PrestartMode;
}

export type HooksByPoint = Readonly<Partial<Record<Point, readonly PlacedHook[]>>>;

export interface ChosenHooks {
  readonly hooks: HooksByPoint;
  /** Problems of the hook directories that do not stop the container. */
  readonly warnings: readonly Problem[];
}

/**
 * Chooses the hooks for one container. Throws a LifehookError if the directories, under this policy, permit no
 * container.
 */
export async function chooseHooks(source: HookSource, facts: ContainerFacts): Promise<ChosenHooks> {
  const { scan, policy, prestart } = source;
  const set = await loadHooks(scan);
  const selection = selectHooks(set.active, facts, {
    matcherOf: literalFirst(scan.compile),
    prestart,
  });
  const errors = [
    ...refusalsOf(set, policy),
    ...selection.problems.filter(({ severity }) => severity === 'error'),
  ];
  if (errors.length > 0) throw new LifehookError(errors);
  const lists = Object.entries({ ...selection.stages, ...selection.extensions });
  return {
    hooks: Object.fromEntries(lists.map(([point, hooks]) => [point, hooks.map(place)])),
    warnings: [...set.problems, ...selection.problems].map(asWarning),
  };
}

/** For a container that has only the hooks of its config.json. */
export const noHooks: ChosenHooks = { hooks: {}, warnings: [] };

function place({ file, hook }: SelectedHook): PlacedHook {
  return { hook, source: { kind: 'file', ...positionOf(file, 'hook') } };
}

function asWarning(problem: Problem): Problem {
  return { ...problem, severity: 'warning' };
}
