/**
 * One file per hook run in a spool directory that the timeline reads: a first line that identifies the hook and the
 * container, then the run's records, one JSON text per line. While the hook runs the name starts with a dot; the file
 * is renamed when it is complete. If the name still starts with a dot but the runner is dead, the end of the hook was
 * not observed.
 */
import type { Ledger } from '../../../engine/ledger.ts';
import type { RunRecord, Tail } from '../../../model/attempt.ts';
import { textEnd } from '../../../model/cut-text.ts';
import { decodeUtf8 } from '../../../platform/byte-text.ts';
import type { AppendFile, Files } from '../../../platform/platform.ts';
import { unlessMissing } from '../../../platform/posix-error.ts';
import { procTable, type ProcessIdentity } from '../../../store/process-table.ts';
import type { Point } from '../life/container.ts';

/** Above this number of files the oldest are removed, at the next check. */
export const SPOOL_FILES_MAX = 4096;
const SPOOL_FILES_KEPT = 3072;
/**
 * Length, in UTF-16 units, of the recorded end of each output stream. It limits a record to about 20 KB per attempt.
 */
export const RECORDED_TAIL_MAX = 8192;
/** Counting the files costs as much as a hook, so only one in this many runners does it. */
const PRUNE_EVERY = 32;

export interface SpoolEntry {
  readonly folder: string;
  /**
   * Name of the file. A record is opened under its final name; until it is complete, the file has that name with a
   * leading dot.
   */
  readonly name: string;
}

export interface HookOutline {
  readonly type: 'HookRun';
  readonly version: 1;
  readonly container: string;
  readonly bundle: string;
  readonly stage: Point;
  readonly hook: string;
  readonly index: number;
  readonly pid: number;
  /** The process that writes the record. If it is dead and the record is open, the end of the hook was not observed. */
  readonly writer: ProcessIdentity;
}

export interface SpoolLedger extends Ledger {
  /** Call when the record is complete: renames it to its final name. */
  close(): Promise<void>;
}

/** `<milliseconds>-<container>-<stage>-<index>-<pid>.jsonl`: in the order of time, and unique. */
export function recordName(outline: HookOutline, nowMs: number): string {
  return `${nowMs}-${containerPart(outline.container)}-${outline.stage}-${outline.index}-${outline.pid}.jsonl`;
}

export function containerPart(containerId: string): string {
  return containerId.replaceAll(/[^\w.+-]/g, '_').slice(0, containerPartMax);
}

/** Maximum characters of the id. Container engines use 64 digits; a file name is limited to 255 characters. */
const containerPartMax = 128;

/**
 * Starts the record of a hook's run. Nothing here is synced: the page cache keeps the writes of a killed runner, and a
 * machine that loses its power loses the container too.
 */
export async function openRecord(
  files: Files,
  entry: SpoolEntry,
  outline: HookOutline,
): Promise<SpoolLedger> {
  const { folder, name } = entry;
  const file = await openIn(files, entry);
  let unwritten = lineOf(outline);
  const write = async (): Promise<void> => {
    const text = unwritten;
    unwritten = '';
    if (text !== '') await file.write(text);
  };
  return {
    read: async () => [],
    append: async (record) => {
      unwritten += lineOf(bounded(record));
      // RunOpened and RunSettled are written with the next record or at the close: nothing happens to the hook before.
      if (record.type !== 'RunOpened' && record.type !== 'RunSettled') await write();
    },
    close: async () => {
      try {
        await write();
      } finally {
        await file.close();
      }
      await files.rename(`${folder}/.${name}`, `${folder}/${name}`, 'unsynced');
      if (outline.pid % PRUNE_EVERY === 0) await prune(files, folder);
    },
  };
}

function lineOf(value: HookOutline | RunRecord): string {
  return `${JSON.stringify(value)}\n`;
}

async function openIn(files: Files, { folder, name }: SpoolEntry): Promise<AppendFile> {
  const path = `${folder}/.${name}`;
  try {
    return await files.openAppend(path, recordMode, 'unsynced');
  } catch {
    await files.makeFolder(folder, folderMode);
    return files.openAppend(path, recordMode, 'unsynced');
  }
}

/** The output of a hook may be private. */
const recordMode = 0o600;
const folderMode = 0o700;

function bounded(record: RunRecord): RunRecord {
  if (record.type !== 'AttemptSettled') return record;
  const { stdout, stderr } = record.result;
  return { ...record, result: { ...record.result, stdout: cut(stdout), stderr: cut(stderr) } };
}

function cut({ text, totalBytes }: Tail): Tail {
  return { text: textEnd(text, RECORDED_TAIL_MAX), totalBytes };
}

/**
 * Removes a quarter of the records, so that it rarely has to sort them: in QuickJS a sort takes a tenth of a second.
 * The records of hooks that are still running are kept.
 */
async function prune(files: Files, folder: string): Promise<void> {
  const names = (await files.list(folder)).filter((name) => name.endsWith('.jsonl'));
  if (names.length <= SPOOL_FILES_MAX) return;
  const byAge = names.map((name) => ({ name, startedAtMs: startOf(name) }));
  byAge.sort((left, right) => left.startedAtMs - right.startedAtMs);
  for (const { name } of byAge.slice(0, names.length - SPOOL_FILES_KEPT)) {
    const path = `${folder}/${name}`;
    if (!(name.startsWith('.') && (await isBeingWritten(files, path)))) await files.remove(path);
  }
}

async function isBeingWritten(files: Files, path: string): Promise<boolean> {
  const text = (await unlessMissing(files.read(path))) ?? '';
  const [outline] = parseLine(text.slice(0, text.indexOf('\n'))) as (HookOutline | undefined)[];
  return isAlive(files, outline?.writer);
}

/** Whether the process that writes the record may still complete it. */
export async function isAlive(files: Files, writer: ProcessIdentity | undefined): Promise<boolean> {
  return writer !== undefined && procTable(files).isAlive(writer);
}

/**
 * The text of a record in the spool; '' if it was removed. A record that is completed after it was listed is read under
 * its final name.
 */
export async function readRecordText(files: Files, { folder, name }: SpoolEntry): Promise<string> {
  const bytes =
    (await unlessMissing(files.read(`${folder}/${name}`))) ??
    (await unlessMissing(files.read(`${folder}/${finalName(name)}`)));
  return decodeUtf8(bytes ?? '');
}

/** The parts of a record file. */
export interface HookText {
  readonly outline: HookOutline;
  readonly records: readonly RunRecord[];
}

/** Not validated: a runner of Lifehook has written the text, line by line. null: it does not begin with an outline. */
export function parseRecord(text: string): HookText | null {
  const lines = text.split('\n').flatMap(parseLine);
  const [outline, ...records] = lines as [HookOutline | undefined, ...RunRecord[]];
  return outline?.type === 'HookRun' ? { outline, records } : null;
}

/** The values in a line; empty for a line that a full disk cut off. */
function parseLine(line: string): unknown[] {
  try {
    return line === '' ? [] : [JSON.parse(line)];
  } catch {
    return [];
  }
}

/** The final name of a record. While the record is open, its name starts with a dot. */
export function finalName(name: string): string {
  return name.replace(/^\./, '');
}

/** The start of a hook in milliseconds, from the name of its record. */
export function startOf(name: string): number {
  return Number.parseInt(finalName(name), 10);
}

/** If no record can be written the hook runs nevertheless: a full disk must not stop containers. */
export const noRecord: SpoolLedger = {
  read: async () => [],
  append: async () => undefined,
  close: async () => undefined,
};
