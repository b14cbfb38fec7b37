/**
 * The part of a runtime that both runners share: it keeps the list of containers, and starts none twice.
 */
import {
  StartError,
  type ContainerRuntime,
  type ContainerSpec,
  type RunningContainer,
} from '../../../../src/platform/container-runtime.ts';
import { adoptAll } from './adopt.ts';
import type { KeptContainer, Runner } from './kept-container.ts';
import type { RuntimeWorld } from './runtime-world.ts';

/** The operations of a runner that this module does not provide. */
export interface Starter extends Omit<Runner, 'onRemoved'> {
  readonly setsLimits: boolean;
  /** Leaves nothing behind if it rejects. */
  start(runner: Runner, spec: ContainerSpec): Promise<KeptContainer>;
}

export async function openKeptRuntime(
  world: RuntimeWorld,
  starter: Starter,
): Promise<ContainerRuntime> {
  const containers = new Map<string, KeptContainer>();
  const starting = new Map<string, Promise<RunningContainer>>();
  const runner: Runner = {
    ...starter,
    onRemoved: (id) => {
      containers.delete(id);
    },
  };
  for (const container of await adoptAll(world, runner)) containers.set(container.id, container);
  const start = async (spec: ContainerSpec): Promise<RunningContainer> => {
    const container = await starter.start(runner, spec);
    containers.set(spec.id, container);
    return container;
  };
  return {
    name: starter.name,
    setsLimits: starter.setsLimits,
    start: async (spec) => {
      checkId(spec.id);
      const there = containers.get(spec.id) ?? starting.get(spec.id);
      if (there !== undefined) return there;
      const started = start(spec).finally(() => starting.delete(spec.id));
      starting.set(spec.id, started);
      return started;
    },
    list: async () => [...containers.values()],
    get: (id) => containers.get(id),
  };
}

/** The id is the name of a directory and of a cgroup. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

function checkId(id: string): void {
  if (idPattern.test(id)) return;
  throw new StartError(
    'CreateContainerConfigError',
    `A container id is up to 128 letters, digits, "_", "." and "-", the first one a letter or a digit; received ${JSON.stringify(id)}. Choose another one.`,
  );
}
