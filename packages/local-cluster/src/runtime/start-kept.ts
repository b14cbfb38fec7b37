/**
 * Prepares the start of a container under a supervisor: the order is durable in the container's directory before the
 * first process exists, so that adoption can resolve a crash in between.
 */
import type { ContainerSpec } from '../../../../src/platform/container-runtime.ts';
import { LOG_DEFAULT_BYTES, LOG_LEAST_BYTES } from '../../../../src/supervisor/record-log.ts';
import type { Program } from '../../../../src/supervisor/frames.ts';
import { writeRecord, type ContainerOrder } from '../../../../src/supervisor/records.ts';
import { containersFolder, FOLDER_MODE, type RuntimeWorld } from './runtime-world.ts';

export function folderOfContainer(world: RuntimeWorld, id: string): string {
  return `${containersFolder(world)}/${id}`;
}

export function orderOf(spec: ContainerSpec, folder: string, program: Program): ContainerOrder {
  return {
    id: spec.id,
    labels: spec.labels,
    imageId: spec.image.id,
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

/** Creates the container's directory and writes the order to it. */
export async function writeIntent(
  world: RuntimeWorld,
  folder: string,
  order: ContainerOrder,
): Promise<void> {
  const { files } = world.platform;
  await files.makeFolder(folder, FOLDER_MODE);
  await writeRecord(files, folder, ['order', order]);
}
