/** Adds chosen hooks to a config.json: as text for a new container, or in the file itself. */
import { LifehookError } from '../../../model/problem.ts';
import type { ByteText } from '../../../platform/platform.ts';
import { readBundle, replaceConfig, type Bundle, type BundleReading } from '../config/bundle.ts';
import { chooseHooks, type ChosenHooks, type HookSource } from './choose-hooks.ts';
import type { PlacedHook } from '../config/configured-hooks.ts';
import { gatherFacts } from '../facts.ts';
import { stages, type OciHook, type Stage } from '../points.ts';
import { spliceHooks } from '../config/splice.ts';

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

/** `lifehook oci inject`: creates no container, and leaves the bundle with the hooks that one would get. */
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
