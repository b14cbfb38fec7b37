/** Keeps the list of containers for both runners, and never starts a container twice. */
import {
  StartError,
  type ContainerRuntime,
  type ContainerSpec,
  type RunningContainer,
} from '../../../../src/platform/container-runtime.ts';
import type { Program } from '../../../../src/supervisor/frames.ts';
import { LOG_DEFAULT_BYTES, LOG_LEAST_BYTES } from '../../../../src/supervisor/record-log.ts';
import { type ContainerOrder, writeRecord } from '../../../../src/supervisor/records.ts';
import { adoptAll } from './adopt.ts';
import type { KeptContainer, Runner } from './kept-container.ts';
import { containersFolder, FOLDER_MODE, type RuntimeWorld } from './runtime-world.ts';

/** The operations that differ between runners. */
export interface Starter extends Omit<Runner, 'onRemoved'> {
  readonly setsLimits: boolean;
  /** Starts a container. If it rejects, nothing of the container is left. */
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

/** Syntax of container ids, which are names of directories and cgroups. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

function checkId(id: string): void {
  if (idPattern.test(id)) return;
  throw new StartError(
    'CreateContainerConfigError',
    `A container id is up to 128 letters, digits, "_", "." and "-", the first one a letter or a digit; received ${JSON.stringify(id)}. Choose another one.`,
  );
}

/**
 * Directory of a container. The `order` record in it is durable before the first process exists, so that adoption can
 * resolve a crash in between.
 */
export function folderOfContainer(world: RuntimeWorld, id: string): string {
  return `${containersFolder(world)}/${id}`;
}

export function orderOf(spec: ContainerSpec, folder: string, program: Program): ContainerOrder {
  return {
    id: spec.id,
    labels: spec.labels,
    imageId: spec.image.id,
    imageRoot: spec.image.rootPath,
    program,
    log: {
      path: `${folder}/log`,
      maxBytes: Math.max(spec.logLimitBytes ?? LOG_DEFAULT_BYTES, LOG_LEAST_BYTES),
    },
    stdin: spec.stdin,
    stdinOnce: spec.stdinOnce ?? false,
    tty: spec.tty,
  };
}

/** Creates the container's directory, and writes its `order` record: what the supervisor is to start. */
export async function writeIntent(
  world: RuntimeWorld,
  folder: string,
  order: ContainerOrder,
): Promise<void> {
  const { files } = world.platform;
  await files.makeFolder(folder, FOLDER_MODE);
  await writeRecord(files, folder, ['order', order]);
}
