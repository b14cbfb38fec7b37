/**
 * What became of each hook of one point, put into the spool when the point is over: one file a hook, as
 * the shim's runner writes them, so that hooks have one kind of record whoever ran them.
 */
import type { RunRecord } from '../../../model/attempt.ts';
import type { PlacedHook } from '../config/configured-hooks.ts';
import type { PointRunning } from './run-point.ts';
import { openRecord, recordName, type HookOutline } from './spool.ts';
import { stepName } from './plan-point.ts';

/** A spool that cannot be written stops nothing: the journal has it all while the container is there. */
export async function keepRecords(
  running: PointRunning,
  records: readonly RunRecord[],
): Promise<void> {
  const { container, point } = running;
  const byStep = new Map<string, RunRecord[]>();
  for (const record of records) {
    if (!('step' in record)) continue;
    const own = byStep.get(record.step) ?? [];
    byStep.set(record.step, own);
    own.push(record);
  }
  for (const [index, placed] of (container.hooks[point] ?? []).entries()) {
    const own = byStep.get(stepName(point, index));
    if (own === undefined) continue;
    try {
      await keepRecord(running, outlineOf(running, placed, index), own);
    } catch {
      return;
    }
  }
}

async function keepRecord(
  { platform: { files }, spool }: PointRunning,
  outline: HookOutline,
  records: readonly RunRecord[],
): Promise<void> {
  const name = recordName(outline, records[0]?.atMs ?? 0);
  const spooled = await openRecord(files, { folder: spool, name }, outline);
  for (const record of records) await spooled.append(record);
  await spooled.close();
}

function outlineOf(
  { container, point }: PointRunning,
  { source }: PlacedHook,
  index: number,
): HookOutline {
  return {
    type: 'HookRun',
    version: 1,
    container: container.id,
    bundle: container.bundle,
    stage: point,
    hook:
      source.kind === 'file' ? source.file.slice(source.file.lastIndexOf('/') + 1) : source.object,
    index,
    // Whoever made the container: with the time it tells two containers of one id apart.
    pid: Number.parseInt(container.instance, 10),
  };
}
