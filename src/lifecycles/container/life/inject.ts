/** Chosen hooks put into a config.json: the text for a container that is made, and the file itself. */
import { LifehookError } from '../../../model/problem.ts';
import type { ByteText } from '../../../platform/platform.ts';
import { readBundle, replaceConfig, type Bundle, type BundleReading } from '../config/bundle.ts';
import { chooseHooks, type ChosenHooks, type HookSource } from './choose-hooks.ts';
import type { PlacedHook } from '../config/configured-hooks.ts';
import { gatherFacts } from '../facts.ts';
import { stages, type OciHook, type Stage } from '../points.ts';
import { spliceHooks } from '../config/splice.ts';

/**
 * What stands in config.json instead of a hook, where something is to run it: the runner of the shim,
 * which keeps the specification's promises on runtimes that break them.
 */
export type WrapHook = (
  placed: PlacedHook,
  at: { readonly stage: Stage; readonly index: number },
) => OciHook;

export interface Injection {
  readonly chosen: ChosenHooks;
  readonly changed: boolean;
}

/** `lifehook oci inject`: no container is made, the bundle is left with the hooks it would get. */
export async function injectBundle(reading: BundleReading, source: HookSource): Promise<Injection> {
  const bundle = await readBundle(reading);
  const chosen = await chooseHooks(source, gatherFacts(bundle.config));
  const text = addHooks(bundle, chosen);
  const changed = text !== bundle.text;
  if (changed) await replaceConfig(reading.files, bundle, text);
  return { chosen, changed };
}

/** The bundle's text with the chosen hooks in it. Throws a LifehookError where they cannot be added. */
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
