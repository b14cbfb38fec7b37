/**
 * The files in the directory of a pod's container. Each has one writer and is replaced atomically. The node writes
 * order.json before the start. The supervisor writes report.json once the process runs or the start has failed. The
 * first program that sees the end of the container writes exit.json. A reader of exit.json waits for report.json first.
 * Also runs natively: uses nothing that QuickJS lacks.
 */
import { decodeUtf8, encodeUtf8 } from '../platform/byte-text.ts';
import type { ContainerEnd } from '../platform/container-runtime.ts';
import { errorText } from '../platform/error-text.ts';
import { isSystemFailure, unlessMissing } from '../platform/posix-error.ts';
import type { Files, Exit, Timers } from '../platform/platform.ts';
import type { ProcessIdentity } from '../store/process-table.ts';
import type { LogPlace } from './record-log.ts';
import type { Program } from './frames.ts';
import { sleep } from '../platform/sleep.ts';

/** The supervisor's socket in the directory. Only one process can create it, and that process owns the container. */
export const SOCKET_NAME = 's';

const FILE_MODE = 0o600;

export interface ContainerOrder {
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly imageId: string;
  /**
   * Root directory of the image, for the commands of the process runner; null if it has none. Absent in containers that
   * an older version started.
   */
  readonly imageRoot?: string | null;
  /** The program to start. A command in the container gets its environment, working directory and user. */
  readonly program: Program;
  readonly log: LogPlace;
  readonly stdin: boolean;
  /** Whether stdin is closed when the first attached client closes its input or its connection. */
  readonly stdinOnce: boolean;
  readonly tty: boolean;
}

/** The report about the start; once written, it never changes. */
export type SupervisorReport =
  | {
      readonly kind: 'started';
      readonly supervisor: ProcessIdentity;
      readonly process: ProcessIdentity;
      readonly startedAtMs: number;
    }
  /** `code`: a POSIX code; EIO if the error has none. */
  | { readonly kind: 'failed'; readonly code: string; readonly reason: string };

export type StartedReport = Extract<SupervisorReport, { readonly kind: 'started' }>;

interface Contents {
  readonly order: ContainerOrder;
  readonly report: SupervisorReport;
  readonly exit: ContainerEnd;
}

/** null: the file does not exist, or not yet. */
export async function readRecord<K extends keyof Contents>(
  files: Files,
  folder: string,
  name: K,
): Promise<Contents[K] | null> {
  const text = await unlessMissing(files.read(`${folder}/${name}.json`));
  return text === null ? null : (JSON.parse(decodeUtf8(text)) as Contents[K]);
}

/** null: there is no process, or not yet. */
export async function readStart(files: Files, folder: string): Promise<StartedReport | null> {
  const report = await readRecord(files, folder, 'report');
  return report?.kind === 'started' ? report : null;
}

/** Writes a record. It is durable if the given `replace` syncs. */
export async function writeRecord<K extends keyof Contents>(
  files: Pick<Files, 'replace'>,
  folder: string,
  [name, value]: readonly [K, Contents[K]],
): Promise<void> {
  const text = `${encodeUtf8(JSON.stringify(value))}\n`;
  await files.replace(`${folder}/${name}.json`, text, { mode: FILE_MODE });
}

/**
 * Milliseconds between two reads of the report. The wait has no limit: a runtime first runs the hooks of the container,
 * which may have no deadline. A read takes about 0.1 ms of a processor, so a long wait reads less often.
 */
const REPORT_POLL_MS = 5;
const LATE_REPORT_POLL_MS = 50;
/** Milliseconds after which a wait is a long one. */
const LONG_WAIT_MS = 1_000;

/** The supervisor exited without a report. */
interface BrokenSupervisor {
  readonly kind: 'broken';
  readonly because: string;
}

interface Awaited {
  readonly timers: Timers;
  /** The exit of the supervisor; rejects if it could not be started. */
  readonly exited: Promise<Exit>;
  /** Reads the report; null: there is none yet. */
  readonly look: () => Promise<SupervisorReport | null>;
}

export async function awaitReport({
  timers,
  exited,
  look,
}: Awaited): Promise<SupervisorReport | BrokenSupervisor> {
  const ended = { because: '' };
  void endOf(exited).then((because) => Object.assign(ended, { because }));
  for (let waitedMs = 0; ;) {
    // The report is read after the exit was seen, so that a late report is not missed.
    const { because } = ended;
    const report = await lookNow(look);
    if (report === null && because !== '') return { kind: 'broken', because };
    if (report !== null && report !== 'unreadable') return report;
    const pauseMs = waitedMs < LONG_WAIT_MS ? REPORT_POLL_MS : LATE_REPORT_POLL_MS;
    await sleep(timers, pauseMs);
    waitedMs += pauseMs;
  }
}

/** 'unreadable': the system lacks resources. The report may exist, and its program may run, so it is read again. */
async function lookNow(look: Awaited['look']): Promise<SupervisorReport | 'unreadable' | null> {
  try {
    return await look();
  } catch (error) {
    if (isSystemFailure(error)) return 'unreadable';
    throw error;
  }
}

async function endOf(exited: Promise<Exit>): Promise<string> {
  try {
    const { code, signal } = await exited;
    return `it ended with ${signal ?? `code ${code ?? '?'}`}`;
  } catch (error) {
    return errorText(error);
  }
}
