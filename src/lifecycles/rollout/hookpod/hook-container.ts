/** Builds the container of a hook: that of the template without the fields of a service (ROLL-C27). */
import type { Container, EnvVar, PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import type { ExecNewPodHook } from '../kinds.ts';
import { hookEnv } from './hook-env.ts';

/** Name of our container in every hook pod. Webhooks may add other containers. */
export const HOOK_CONTAINER = 'hook';

/** Newer fields that the types lack; a hook has none of them. */
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
    // So that the reason of a failure is known even if the log can no longer be read.
    terminationMessagePolicy: 'FallbackToLogsOnError',
  };
}

type Volume = NonNullable<NonNullable<PodTemplateSpec['spec']>['volumes']>[number];

/** Unknown names are ignored (ROLL-DH7). */
export function copiedVolumes(
  { spec }: PodTemplateSpec,
  { volumes = [] }: ExecNewPodHook,
): Volume[] {
  return (spec?.volumes ?? []).filter(({ name }) => volumes.includes(name));
}

/** A command of the hook replaces command and args: the args belong to another program. */
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

/** Removes input, probes, ports and restart rules: a hook serves nothing and runs once. */
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
    ...rest
  } = container;
  return rest;
}
