/** Which entries go into config.json for the hooks that were selected. Pure. */
import type { ConfigObject } from '../config-text.ts';
import type { SelectedHook, Selection } from '../hooksd/select.ts';
import { stages, type OciHook, type Stage } from '../points.ts';
import { missingHooks } from '../same-hook.ts';
import type { Additions } from '../splice.ts';
import { wrapHook, wrappedStages } from './hook-command.ts';
import { hooksIn } from './hooks-in-config.ts';
import { DEFAULT_HOOK_SETTINGS, type RuntimeSettings } from './runtime-settings.ts';

export interface InjectionPlan {
  readonly config: ConfigObject;
  readonly selection: Selection;
  readonly settings: RuntimeSettings;
  /** The runner's path. */
  readonly runner: string;
}

export function planInjection(plan: InjectionPlan): Additions {
  const additions: Partial<Record<Stage, OciHook[]>> = {};
  for (const stage of stages) {
    const selected = withoutPresent(stage, plan);
    if (selected.length > 0) {
      additions[stage] = selected.map((hook, index) => entryOf(stage, { hook, index }, plan));
    }
  }
  return additions;
}

/**
 * An engine that reads the same folders has put the hooks into config.json already, as they are: they
 * are not to run twice. Older engines put into prestart what we put into createRuntime.
 */
function withoutPresent(
  stage: Stage,
  { config, selection, settings }: InjectionPlan,
): SelectedHook[] {
  const selected = selection.stages[stage];
  const places: Stage[] =
    stage === 'createRuntime' && settings.prestart === 'createRuntime'
      ? ['prestart', 'createRuntime']
      : [stage];
  const present = places.flatMap((place) => hooksIn(config, place));
  const missing = new Set(
    missingHooks(
      present,
      selected.map(({ hook }) => hook),
    ),
  );
  return selected.filter(({ hook }) => missing.has(hook));
}

function entryOf(
  stage: Stage,
  { hook: { file, hook }, index }: { hook: SelectedHook; index: number },
  { settings, runner }: InjectionPlan,
): OciHook {
  const wrapped = wrappedStages.find((name) => name === stage);
  if (!settings.wrap || wrapped === undefined) return hook;
  const { onFailure, retries } = settings.hooks[file.name] ?? DEFAULT_HOOK_SETTINGS;
  const command = {
    stage: wrapped,
    file: file.name,
    index,
    onFailure,
    retries: onFailure === 'retry' ? retries : 0,
    timeoutSeconds: hook.timeout ?? null,
    spool: settings.spool,
    path: hook.path,
    argv: hook.args ?? [hook.path],
  };
  return wrapHook(runner, command, hook.env);
}
