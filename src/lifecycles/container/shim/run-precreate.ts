/**
 * Runs precreate hooks, which no runtime supports: each reads the proposed configuration on stdin and prints
 * the one to use instead, which the next one reads. They run in the runner, like all others.
 */
import { LifehookError } from '../../../model/problem.ts';
import type { ByteText } from '../../../platform/platform.ts';
import type { Bundle } from '../config/bundle.ts';
import { decodeUtf8, encodeUtf8 } from '../../../platform/byte-text.ts';
import { CONFIG_MAX_BYTES, isObject } from '../config/config-text.ts';
import { wrongInContainerConfig } from '../config/container-config.ts';
import { captureWholeOutput } from '../hook-runs/whole-output.ts';
import type { SelectedHook } from '../hooksd/select.ts';
import { wrapHooks } from './hook-command.ts';
import type { Injecting } from './inject-hooks.ts';
import { wrappedHook } from './plan-injection.ts';
import { runEntry } from './run-entry.ts';

export interface Precreating extends Injecting {
  readonly bundle: Bundle;
  readonly containerId: string;
}

/** Returns the filtered configuration. Throws a LifehookError if a hook prints none. */
export async function runPrecreate(
  precreating: Precreating,
  hooks: readonly SelectedHook[],
  text: ByteText,
): Promise<ByteText> {
  let current = text;
  const ours = hooks.filter((hook) => !isPodmans(precreating, hook));
  for (const [index, hook] of ours.entries()) {
    current = await runFilter(precreating, { ...hook, index }, current);
  }
  return current;
}

/** Podman runs the hooks of the directories that it reads itself, before it calls us. */
function isPodmans({ bundle, settings }: Precreating, { file }: SelectedHook): boolean {
  const { annotations } = bundle.config;
  const manager = isObject(annotations) ? annotations['io.container.manager'] : undefined;
  return manager === 'libpod' && settings.podmanHooksDirs.includes(file.folder);
}

async function runFilter(
  { host, settings, runner, bundle, containerId }: Precreating,
  hook: SelectedHook & { readonly index: number },
  text: ByteText,
): Promise<ByteText> {
  const wrapped = wrappedHook('precreate', hook, settings);
  const entry = wrapHooks(runner, [wrapped]);
  const whose = [`LIFEHOOK_CONTAINER_ID=${containerId}`, `LIFEHOOK_BUNDLE=${bundle.folder}`];
  const output = captureWholeOutput(host.processes, CONFIG_MAX_BYTES);
  const { clock, timers } = host;
  const result = await runEntry(
    { clock, timers, processes: output.processes },
    { ...entry, env: [...(entry.env ?? []), ...whose] },
    { runId: 'precreate', stdin: decodeUtf8(text), cwd: bundle.folder },
  );
  const said = result.stderr.text.trim();
  if (result.outcome !== 'Succeeded') throw failed(hook, said === '' ? result.reason : said);
  if (said !== '') host.print('stderr', `${said}\n`);
  const printed = encodeUtf8(output.text() ?? '');
  // A failed hook with onFailure warn changes nothing.
  if (printed === '' && wrapped.command.onFailure === 'warn') return text;
  const wrong = wrongInContainerConfig(printed);
  if (wrong !== null) throw failed(hook, wrong);
  return printed;
}

function failed({ file }: SelectedHook, why: string): LifehookError {
  return new LifehookError({
    code: 'LHC319',
    severity: 'error',
    message: `The precreate hook ${file.name} must print the config.json to use, but did not: ${why}`,
    at: { file: `${file.folder}/${file.name}`, line: 1, column: 1 },
    next: 'Correct the hook; config.json is unchanged, and no container was created.',
  });
}
