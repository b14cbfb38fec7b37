/**
 * Writes the outcome of each hook of one point into the spool as it happens: one file per hook, as the shim's runner
 * writes them, so that all hooks have the same kind of record. The record is opened before the hook starts, so that the
 * hook has a record even if the command that runs the hook is killed.
 */
import type { Ledger } from '../../../engine/ledger.ts';
import type { RunRecord } from '../../../model/attempt.ts';
import { procTable, type ProcessIdentity } from '../../../store/process-table.ts';
import type { LifeEvent } from '../life/life.ts';
import { errorText } from '../../../platform/error-text.ts';
import type { PointRunning } from './run-point.ts';
import { openRecord, recordName, type HookOutline, type SpoolLedger } from './spool.ts';
import { stepName } from './plan-point.ts';

/** A journal of one point that also writes the records of the point's hooks into the spool. */
export function keepingRecords(running: PointRunning, journal: Ledger): Ledger {
  const open = new Map<string, SpoolLedger>();
  let reported = false;
  return {
    read: (runId) => journal.read(runId),
    append: async (record) => {
      await journal.append(record);
      try {
        await keep(running, open, record);
      } catch (error) {
        // An unwritten record stops nothing: the journal has everything while the container exists.
        if (!reported) running.emit?.(notKept(running, error));
        reported = true;
      }
    },
  };
}

function notKept({ spool, container: { id } }: PointRunning, error: unknown): LifeEvent {
  const problem = {
    code: 'LHC303',
    severity: 'warning',
    message: `The results of the hooks of container ${id} cannot be recorded in ${spool}: ${errorText(error)}.`,
    next: 'Make the directory writable for the user who runs containers, and free some disk space.',
  } as const;
  return { type: 'Warning', id, problem };
}

async function keep(
  running: PointRunning,
  open: Map<string, SpoolLedger>,
  record: RunRecord,
): Promise<void> {
  if (record.type === 'AttemptStarted') {
    const spooled = await openFor(running, record.step, record.atMs);
    if (spooled !== null) open.set(record.step, spooled);
    await spooled?.append(record);
  }
  if (record.type === 'AttemptSettled') {
    // Absent for a hook that an earlier, interrupted command started: that command opened the record and never
    // completed it.
    const spooled = open.get(record.step);
    open.delete(record.step);
    try {
      await spooled?.append(record);
    } finally {
      await spooled?.close();
    }
  }
}

async function openFor(
  running: PointRunning,
  step: string,
  atMs: number,
): Promise<SpoolLedger | null> {
  const { platform, container, point, spool } = running;
  const hooks = container.hooks[point] ?? [];
  const index = hooks.findIndex((_, place) => stepName(point, place) === step);
  if (index === -1) return null;
  const writer = await procTable(platform.files).self();
  const outline = outlineOf(running, index, writer);
  return openRecord(platform.files, { folder: spool, name: recordName(outline, atMs) }, outline);
}

function outlineOf(
  { container, point }: PointRunning,
  index: number,
  writer: ProcessIdentity,
): HookOutline {
  const source = container.hooks[point]?.[index]?.source;
  return {
    type: 'HookRun',
    version: 1,
    container: container.id,
    bundle: container.bundle,
    stage: point,
    hook:
      source?.kind === 'file'
        ? source.file.slice(source.file.lastIndexOf('/') + 1)
        : (source?.object ?? ''),
    index,
    // The pid of the process that created the container. Together with the time it distinguishes two containers with
    // the same id.
    pid: Number.parseInt(container.instance, 10),
    writer,
  };
}
