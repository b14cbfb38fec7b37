/** Decides which of the candidate hook files apply, and adds their hooks to config.json. */
import { LifehookError, type Problem } from '../../../model/problem.ts';
import { replaceConfig, type Bundle } from '../config/bundle.ts';
import {
  CONFIG_MAX_BYTES,
  type ConfigObject,
  isObject,
  readConfig,
} from '../config/config-text.ts';
import { wrongInContainerConfig } from '../config/container-config.ts';
import { captureWholeOutput } from '../hook-runs/whole-output.ts';
import { patternsOf } from '../hooksd/check-hook.ts';
import type { ContainerFacts, HookFile, IndexedFile } from '../hooksd/hook-file.ts';
import { classify } from '../hooksd/literal.ts';
import { literalFirst } from '../hooksd/literal-first.ts';
import { matchHookFile } from '../hooksd/match.ts';
import type { Compile, Matcher } from '../../../model/pattern.ts';
import { selectHooks, type SelectedHook } from '../hooksd/select.ts';
import { spliceHooks } from '../config/splice.ts';
import { createStages } from '../points.ts';
import type { ByteText } from '../../../platform/platform.ts';
import { decodeUtf8, encodeUtf8 } from '../../../platform/byte-text.ts';
import { findHooks, soleMember } from '../config/find-hooks.ts';
import { endOfValue, scanItems, scanMembers, type Member } from '../config/json-scan.ts';
import {
  hooksIn,
  mayHoldWrapped,
  planInjection,
  unwrapHooks,
  wrappedHook,
} from './plan-injection.ts';
import type { Injected, Injecting } from './inject-hooks.ts';
import { wrapHooks, wrappedStages } from './hook-command.ts';
import type { PostexitPlan } from './postexit-plan.ts';
import { runEntry } from './run-entry.ts';

export interface InjectingMatching extends Injecting {
  readonly bundle: Bundle;
  readonly facts: ContainerFacts;
  readonly files: readonly IndexedFile[];
}

/** Throws a LifehookError for every problem that must prevent the container. */
export async function injectMatching(injecting: InjectingMatching): Promise<Injected> {
  const { host, settings, runner, bundle, facts, files } = injecting;
  const matcherOf = literalFirst(await compilerFor(files));
  const inForce = files.filter(({ leftOut }) => leftOut === undefined);
  const selection = selectHooks(inForce, facts, { prestart: settings.prestart, matcherOf });
  const errors = selection.problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new LifehookError(errors);
  const own = withoutWrapped(bundle, runner);
  const additions = planInjection({ config: own.config, selection, settings, runner });
  const spliced = spliceHooks(own.text, additions, own.config);
  if (spliced.kind === 'refused') throw new LifehookError(inFile(bundle, spliced.problem));
  const proposed = spliced.kind === 'changed' ? spliced.text : own.text;
  const { precreate, postexit } = selection.extensions;
  const text = await runPrecreate(injecting, precreate, proposed);
  // A bundle lost in a power failure is created again, so a sync would be useless.
  const unsynced = { ...host.files, replace: host.replaceUnsynced };
  if (text !== bundle.text) await replaceConfig(unsynced, bundle, text);
  const reading = text === bundle.text ? null : readConfig(text);
  const config = reading?.kind === 'read' ? reading.config : bundle.config;
  return {
    bundle: { ...bundle, config },
    poststop: hooksIn(config, 'poststop'),
    warnings: files.flatMap((file) => leftOutFor(file, facts, matcherOf)),
    recorded: createStages.some((stage) =>
      hooksIn(config, stage).some((entry) => isObject(entry) && entry['path'] === runner),
    ),
    postexit: postexit.length === 0 ? null : planPostexit(injecting, config, postexit),
  };
}

/** The bundle as it was before an earlier create added hooks. */
function withoutWrapped(bundle: Bundle, runner: string): Pick<Bundle, 'text' | 'config'> {
  const text = dropWrapped(bundle.text, bundle.config, runner);
  const reading = text === bundle.text ? null : readConfig(text);
  return reading?.kind === 'read' ? { text, config: reading.config } : bundle;
}

/** Warns of a hook whose program is missing. Podman and CRI-O skip such a hook silently. */
function leftOutFor(
  file: IndexedFile,
  facts: ContainerFacts,
  matcherOf: (pattern: string) => Matcher,
): Problem[] {
  const { leftOut } = file;
  if (leftOut === undefined || matchHookFile(file, facts, { matcherOf }).kind !== 'match')
    return [];
  return [{ ...leftOut, severity: 'warning' }];
}

/** Decides everything now, so that later changes of the hook directories have no effect. */
function planPostexit(
  { bundle, containerId, settings, runner }: InjectingMatching,
  config: ConfigObject,
  hooks: readonly SelectedHook[],
): PostexitPlan {
  const wrapped = hooks.map((hook, index) => wrappedHook('postexit', { ...hook, index }, settings));
  const { ociVersion, annotations } = config;
  const state = {
    ociVersion,
    id: containerId,
    status: 'stopped',
    bundle: bundle.folder,
    annotations,
  };
  return {
    state,
    bundle: bundle.folder,
    entry: wrapHooks(runner, wrapped),
    count: wrapped.length,
  };
}

/** The pattern engine is loaded only for files that text comparison cannot decide. */
async function compilerFor(files: readonly HookFile[]): Promise<Compile> {
  const literal = files.every((file) =>
    patternsOf(file).every(({ text }) => classify(text).kind === 'literal'),
  );
  if (!literal) return (await import('./seldom.ts')).patternEngine();
  return (pattern) => {
    throw new Error(`no engine was loaded for ${JSON.stringify(pattern)}`);
  };
}

function inFile({ configPath }: Bundle, problem: Problem): Problem {
  return problem.at === undefined
    ? problem
    : { ...problem, at: { ...problem.at, file: configPath } };
}

/**
 * Removes from a config.json the entries that an earlier create of the same bundle added for the runner: the hook files
 * may have changed since. No byte of another entry changes. `config`: the parsed text. A text that two runtimes would
 * read differently stays as it is: splice.ts refuses it.
 */
export function dropWrapped(text: ByteText, config: ConfigObject, runner: string): ByteText {
  if (!mayHoldWrapped(text, runner)) return text;
  const place = findHooks(text, Object.keys(config));
  if (place.kind !== 'present' || text[place.valueAt] !== '{') return text;
  const members = scanMembers(text, place.valueAt);
  const lists = wrappedStages.flatMap((stage) => {
    const member = soleMember(members, stage);
    const isList = member !== null && !('ambiguous' in member) && text[member.valueAt] === '[';
    return isList ? [member] : [];
  });
  // From the end, so that a change keeps the offsets of the lists before it valid.
  const fromBehind = lists.toSorted((one, other) => other.valueAt - one.valueAt);
  return fromBehind.reduce((result, list) => withoutOurs(result, list, runner), text);
}

function withoutOurs(text: ByteText, { valueAt, valueEnd }: Member, runner: string): ByteText {
  const items = scanItems(text, valueAt).map((at) => text.slice(at, endOfValue(text, at)));
  const kept = items.filter(
    (item) => unwrapHooks(runner, JSON.parse(decodeUtf8(item))).length === 0,
  );
  if (kept.length === items.length) return text;
  return `${text.slice(0, valueAt)}[${kept.join(',')}]${text.slice(valueEnd)}`;
}

interface Precreating extends Injecting {
  readonly bundle: Bundle;
  readonly containerId: string;
}

/**
 * Runs precreate hooks, which no runtime supports, through `lifehook-hook` like all other hooks. Each hook reads the
 * proposed configuration on stdin and prints its replacement, which the next hook reads. Returns the last replacement.
 * Throws a LifehookError if a hook prints none.
 */
async function runPrecreate(
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
  // A failed hook with `onFailure: "warn"` leaves the configuration as it was.
  if (printed === '' && wrapped.command.onFailure === 'warn') return text;
  const wrong = wrongInContainerConfig(printed);
  if (wrong !== null) throw failed(hook, wrong);
  return printed;
}

function failed({ file }: SelectedHook, why: string): LifehookError {
  return new LifehookError({
    code: 'LHC319',
    message: `The precreate hook ${file.name} must print the config.json to use, but did not: ${why}`,
    at: { file: `${file.folder}/${file.name}`, line: 1, column: 1 },
    next: 'Correct the hook; config.json is unchanged, and no container was created.',
  });
}
