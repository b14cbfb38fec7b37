/**
 * Starting a container under a supervisor: the intent is durable in the container's folder before the
 * first process exists, so a crash in between leaves something that adoption can resolve.
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

/** What a failed start or a crash left of that id is removed first. */
export async function writeIntent(
  world: RuntimeWorld,
  folder: string,
  order: ContainerOrder,
): Promise<void> {
  const { files } = world.platform;
  await files.makeFolder(folder, FOLDER_MODE);
  await writeRecord(files, folder, ['order', order]);
}
