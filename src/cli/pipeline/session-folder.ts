/**
 * The directory of one session's record, `.lifehook/sessions/<time>-<id>/`: the journal of its hooks' runs, its events
 * (events.ndjson) and its options (session.json). Each session has its own journal, so that a running `dev` blocks no
 * other session. Only the newest sessions are kept.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';

import { nodePlatform } from '../../platform/node-platform.ts';
import type { Files } from '../../platform/platform.ts';
import { nodeRandomness } from '../../platform/randomness.ts';
import { FileLedger } from '../../store/file-ledger.ts';
import { type ProcessIdentity, type ProcessTable, procTable } from '../../store/process-table.ts';
import type { PipelineOptions } from './options.ts';

/** Number of sessions that are kept, with the new one. Older sessions are kept only while they run. */
const KEPT_SESSIONS = 30;
const JOURNAL_LIMIT_BYTES = 8_388_608;
const FOLDER_MODE = 0o755;
const PRIVATE_MODE = 0o700;
const FILE_MODE = 0o600;
const PUBLIC_FILE_MODE = 0o644;
const ID_BYTES = 4;

/** The content of session.json. */
export interface SessionRecord {
  readonly process: ProcessIdentity;
  readonly verb: string;
  /** The value of the run-id label on deployed objects. */
  readonly runId: string;
  readonly startedAt: string;
  /** Absolute path of skaffold.yaml. */
  readonly file: string;
  readonly options: PipelineOptions;
  /** Absent: the session still runs, or was killed. */
  readonly exitCode?: number;
}

export interface SessionFolder {
  readonly path: string;
  /** Eight hex digits. The hook runs of the session have the ids `<id>-<number>`, which `rerun` takes as arguments. */
  readonly id: string;
  readonly ledger: FileLedger;
  readonly processTable: ProcessTable;
  close(exitCode: number): Promise<void>;
}

/** The dependencies on the machine that stores the record. */
export interface SessionMachine {
  readonly files: Files;
  readonly processes: ProcessTable;
  /** Wall clock, milliseconds. */
  readonly nowMs: () => number;
  /** Random bytes as hex digits. */
  readonly hex: (bytes: number) => string;
}

const thisMachine: SessionMachine = {
  files: nodePlatform.files,
  processes: processTableOf(process.platform),
  nowMs: () => nodePlatform.clock.nowMs(),
  hex: (bytes) => nodeRandomness.hex(bytes),
};

export function sessionsFolder(stateFolder: string): string {
  return join(stateFolder, 'sessions');
}

export async function openSessionFolder(
  stateFolder: string,
  record: Omit<SessionRecord, 'process' | 'startedAt'>,
  machine: SessionMachine = thisMachine,
): Promise<SessionFolder> {
  const { files, processes } = machine;
  const sessions = sessionsFolder(stateFolder);
  await files.makeFolder(sessions, FOLDER_MODE);
  // Git must ignore the directory: an image tag built from the commit would otherwise report local changes.
  await files.replace(join(stateFolder, '.gitignore'), '*\n', { mode: PUBLIC_FILE_MODE });
  await removeOld(sessions, machine);
  const id = machine.hex(ID_BYTES);
  const startedAt = new Date(machine.nowMs()).toISOString();
  const path = join(sessions, `${startedAt.replaceAll(/[-:]/g, '').slice(0, 15)}-${id}`);
  await files.makeFolder(path, PRIVATE_MODE);
  const known: SessionRecord = { process: await processes.self(), startedAt, ...record };
  await writeRecord(files, path, known);
  const folder = join(path, 'journal');
  const limitBytes = JOURNAL_LIMIT_BYTES;
  const ledger = await FileLedger.open({ files, folder, processes, limitBytes });
  return {
    path,
    id,
    ledger,
    processTable: processes,
    close: async (exitCode) => {
      await ledger.close();
      await writeRecord(files, path, { ...known, exitCode });
    },
  };
}

async function writeRecord(files: Files, path: string, record: SessionRecord): Promise<void> {
  const text = `${JSON.stringify(record, null, 2)}\n`;
  await files.replace(join(path, 'session.json'), Buffer.from(text).toString('latin1'), {
    mode: FILE_MODE,
  });
}

/** null: the file does not exist, or is not a record. */
export async function readSessionRecord(
  path: string,
  files: Files = nodePlatform.files,
): Promise<SessionRecord | null> {
  try {
    const bytes = await files.read(join(path, 'session.json'));
    // `writeRecord` replaces the file atomically, so that its content is complete.
    return JSON.parse(Buffer.from(bytes, 'latin1').toString()) as SessionRecord;
  } catch {
    return null;
  }
}

/** The directories of the sessions, newest first. */
export async function sessionFolders(stateFolder: string): Promise<readonly string[]> {
  const sessions = sessionsFolder(stateFolder);
  const names = await nodePlatform.files.list(sessions).catch((): string[] => []);
  return names
    .toSorted()
    .toReversed()
    .map((name) => join(sessions, name));
}

async function removeOld(sessions: string, { files, processes }: SessionMachine): Promise<void> {
  const names = (await files.list(sessions)).toSorted().toReversed();
  for (const name of names.slice(KEPT_SESSIONS - 1)) {
    const path = join(sessions, name);
    const record = await readSessionRecord(path, files);
    const runs = record !== null && record.exitCode === undefined;
    if (runs && (await processes.isAlive(record.process))) continue;
    await files.remove(path);
  }
}

/** The process table of this system. macOS has no /proc, so `ps` is used there. */
export function processTableOf(platform: string): ProcessTable {
  return platform === 'linux' ? procTable(nodePlatform.files) : psTable;
}

/**
 * Reads ps(1), whose start times are whole seconds. That is enough, because a process id is not reused within a second.
 */
export const psTable: ProcessTable = {
  self: async () => ({ pid: process.pid, started: (await startOf(process.pid)) ?? '' }),
  isAlive: async ({ pid, started }) => (await startOf(pid)) === started,
};

/** null: the process does not exist. */
function startOf(pid: number): Promise<string | null> {
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' };
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'lstart=', '-p', String(pid)], { env }, (error, stdout) => {
      const start = stdout.trim();
      resolve(error === null && start !== '' ? start : null);
    });
  });
}
