/** Builds the container of a hook: that of the template without the fields of a service (ROLL-C27). */
import type { Container, EnvVar, PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import type { ExecNewPodHook } from '../kinds.ts';

/** Name of the hook's container in every hook pod. Webhooks may add other containers. */
export const HOOK_CONTAINER = 'hook';

/** A container with two fields that are newer than the types. No hook gets these fields. */
type AnyContainer = Container & { restartPolicy?: string; restartPolicyRules?: object[] };

export function findContainer({ spec }: PodTemplateSpec, name: string): Container | null {
  const { containers = [], initContainers = [] } = spec ?? {};
  return [...containers, ...initContainers].find((container) => container.name === name) ?? null;
}

export interface HookContainerParts {
  readonly template: PodTemplateSpec;
  readonly container: Container;
  readonly hook: ExecNewPodHook;
  readonly ours: readonly EnvVar[];
}

export function hookContainer({ template, container, hook, ours }: HookContainerParts): Container {
  const { overrides = {} } = hook;
  const { envFrom, resources, securityContext } = overrides;
  const copied = new Set(copiedVolumes(template, hook).map(({ name }) => name));
  const { volumeMounts = [], volumeDevices = [], env = [] } = container;
  return {
    ...withoutServiceParts(container),
    ...commandOf(container, hook),
    name: HOOK_CONTAINER,
    env: hookEnv({ ours, container: env, hook: hook.env ?? [] }),
    ...(envFrom === undefined ? {} : { envFrom }),
    ...(resources === undefined ? {} : { resources }),
    ...(securityContext === undefined ? {} : { securityContext }),
    volumeMounts: volumeMounts.filter(({ name }) => copied.has(name)),
    volumeDevices: volumeDevices.filter(({ name }) => copied.has(name)),
    // Keeps the reason of a failure in the status, even if the log can no longer be read.
    terminationMessagePolicy: 'FallbackToLogsOnError',
  };
}

type Volume = NonNullable<NonNullable<PodTemplateSpec['spec']>['volumes']>[number];

/** The template's volumes that the hook names. Unknown names are ignored (ROLL-DH7). */
export function copiedVolumes(
  { spec }: PodTemplateSpec,
  { volumes = [] }: ExecNewPodHook,
): Volume[] {
  return (spec?.volumes ?? []).filter(({ name }) => volumes.includes(name));
}

/**
 * The command and the args of the hook, or else of the container. The container's args are not added to a command of
 * the hook, because they are for the container's own program.
 */
function commandOf(
  container: Container,
  { command, args }: ExecNewPodHook,
): Pick<Container, 'command' | 'args'> {
  const chosen = {
    command: command ?? container.command,
    args: args ?? (command === undefined ? container.args : undefined),
  };
  return {
    ...(chosen.command === undefined ? {} : { command: chosen.command }),
    ...(chosen.args === undefined ? {} : { args: chosen.args }),
  };
}

/**
 * Removes input, probes, ports and restart rules: a hook serves nothing and runs once. The server refuses a resize
 * policy with a restart in a pod that never restarts.
 */
function withoutServiceParts(container: AnyContainer): Container {
  const {
    command: _command,
    args: _args,
    ports: _ports,
    livenessProbe: _liveness,
    readinessProbe: _readiness,
    startupProbe: _startup,
    lifecycle: _lifecycle,
    stdin: _stdin,
    stdinOnce: _stdinOnce,
    tty: _tty,
    restartPolicy: _restartPolicy,
    restartPolicyRules: _restartPolicyRules,
    resizePolicy: _resizePolicy,
    ...rest
  } = container;
  return rest;
}

/** Largest depth of references that are moved before an entry: far more than real manifests have. */
const CHAIN_MAX = 100;

interface EnvSources {
  /** Variables of Lifehook. They override both other lists and come first, so that both can refer to them. */
  readonly ours: readonly EnvVar[];
  readonly container: readonly EnvVar[];
  /** Entries of the hook, which override those of the container. */
  readonly hook: readonly EnvVar[];
}

/**
 * Merges the entries into one list with unique names (ROLL-DH8, ROLL-C27). `$(NAME)` refers only to earlier entries.
 * The order is therefore that of the container, and an entry of the hook takes the place of the one that it replaces.
 * Entries to which an entry of the hook refers are moved before it.
 *
 * Worked example:
 *   container  A, B=$(A), C=$(B)
 *   hook       NEW=1, B=$(NEW)
 *   result     A, NEW=1, B=$(NEW), C=$(B)
 */
export function hookEnv({ ours, container, hook }: EnvSources): EnvVar[] {
  const taken = new Set(ours.map(({ name }) => name));
  const byName = new Map<string, EnvVar>();
  for (const entry of [...container, ...hook]) {
    if (!taken.has(entry.name)) byName.set(entry.name, entry);
  }
  const fromHook = new Set(hook.map(({ name }) => name));
  return [...ours, ...inOrder(byName, fromHook)];
}

function inOrder(entries: ReadonlyMap<string, EnvVar>, fromHook: ReadonlySet<string>): EnvVar[] {
  const ordered = new Map<string, EnvVar>();
  // An entry in `begun` that has no place yet is part of a reference cycle, and is not moved.
  const begun = new Set<string>();
  const put = (entry: EnvVar, depth: number): void => {
    if (begun.has(entry.name)) return;
    begun.add(entry.name);
    const pulls = depth > 0 ? depth < CHAIN_MAX : fromHook.has(entry.name);
    for (const name of pulls ? referencesOf(entry) : []) {
      const referred = entries.get(name);
      if (referred !== undefined) put(referred, depth + 1);
    }
    ordered.set(entry.name, entry);
  };
  for (const entry of entries.values()) put(entry, 0);
  return [...ordered.values()];
}

/** `$$(NAME)` is an escape, and refers to nothing. */
function referencesOf({ value = '' }: EnvVar): string[] {
  const found = value.matchAll(/\$\$|\$\(([^()$]+)\)/g);
  return [...found].flatMap(([, name]) => (name === undefined ? [] : [name]));
}
