/**
 * The files of one container's folder. Each has one writer and is replaced whole: the node writes
 * order.json before anything is started, the supervisor report.json once there is a process, and whoever
 * sees the end first exit.json. Runs natively too: nothing here that QuickJS lacks.
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

export interface ContainerReport {
  readonly process: ProcessIdentity;
  readonly startedAtMs: number;
}

interface Contents {
  readonly order: ContainerOrder;
  readonly report: ContainerReport;
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

/** Its `replace` waits for the disk, or does not. */
export async function writeRecord<K extends keyof Contents>(
  files: Pick<Files, 'replace'>,
  folder: string,
  [name, value]: readonly [K, Contents[K]],
): Promise<void> {
  const text = `${encodeUtf8(JSON.stringify(value))}\n`;
  await files.replace(`${folder}/${name}.json`, text, { mode: FILE_MODE });
}
