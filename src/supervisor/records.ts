/**
 * The files of the folder of a pod's container. Each has one writer and is replaced whole: the node writes order.json before
 * anything is started, the supervisor report.json once there is a process or the start has failed, and whoever sees the end
 * first exit.json. Runs natively too: nothing here that QuickJS lacks.
 */
import { decodeUtf8, encodeUtf8 } from '../platform/byte-text.ts';
import type { ContainerEnd } from '../platform/container-runtime.ts';
import { codeOf } from '../platform/posix-error.ts';
import type { Files } from '../platform/platform.ts';
import type { ProcessIdentity } from '../store/process-table.ts';
import type { LogPlace } from './record-log.ts';
import type { Program } from './frames.ts';

/** The supervisor's socket in the folder. Who makes it, keeps the container: it cannot be made twice. */
export const SOCKET_NAME = 's';

const FILE_MODE = 0o600;

export interface ContainerOrder {
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly imageId: string;
  /** What is started, and what a command in the container shares with it. */
  readonly program: Program;
  readonly log: LogPlace;
  readonly stdin: boolean;
  /** Its stdin ends with that of the first who attaches. */
  readonly stdinOnce: boolean;
  readonly tty: boolean;
}

/** Of the start, the same for every container. */
export type SupervisorReport =
  | {
      readonly kind: 'started';
      readonly supervisor: ProcessIdentity;
      readonly process: ProcessIdentity;
      readonly startedAtMs: number;
    }
  /** `code`: a POSIX code; EIO where there is none. */
  | { readonly kind: 'failed'; readonly code: string; readonly reason: string };

export type StartedReport = Extract<SupervisorReport, { readonly kind: 'started' }>;

interface Contents {
  readonly order: ContainerOrder;
  readonly report: SupervisorReport;
  readonly exit: ContainerEnd;
}

/** Null: not there (yet). */
export async function readRecord<K extends keyof Contents>(
  files: Files,
  folder: string,
  name: K,
): Promise<Contents[K] | null> {
  try {
    return JSON.parse(decodeUtf8(await files.read(`${folder}/${name}.json`))) as Contents[K];
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Null: there is no process (yet). */
export async function readStart(files: Files, folder: string): Promise<StartedReport | null> {
  const report = await readRecord(files, folder, 'report');
  return report?.kind === 'started' ? report : null;
}

/** Its `replace` waits for the disk, or does not. */
export async function writeRecord<K extends keyof Contents>(
  files: Pick<Files, 'replace'>,
  folder: string,
  [name, value]: readonly [K, Contents[K]],
): Promise<void> {
  const text = `${encodeUtf8(JSON.stringify(value))}\n`;
  await files.replace(`${folder}/${name}.json`, text, { mode: FILE_MODE });
}
