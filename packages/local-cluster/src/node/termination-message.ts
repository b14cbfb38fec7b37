/**
 * Reads the termination message of a container (`terminationMessagePath`) after it has exited.
 *
 * The message is in a file in the pod's directory that the container can write. If the file is empty and the policy is
 * FallbackToLogsOnError, a failed run has the end of its log as message.
 *
 * In an OCI container the file is mounted at `terminationMessagePath`. A plain process sees the file system of this
 * machine, so it gets the path of the file in a variable.
 */
import type { Container } from 'kubernetes-types/core/v1.js';

import type {
  ContainerEnd,
  Mount,
  RunningContainer,
} from '../../../../src/platform/container-runtime.ts';
import type { FileTails } from '../../../../src/platform/file-tails.ts';
import type { Files, Timers } from '../../../../src/platform/platform.ts';
import { readLog } from './read-log.ts';

/** Limits of the kubelet: for the message from the file, and for the end of the log that replaces it. */
const FILE_MAX_BYTES = 4_096;
const LOG_MAX_BYTES = 2_048;
const LOG_MAX_LINES = 80;

const DEFAULT_PATH = '/dev/termination-log';
const MESSAGE_VARIABLE = 'LIFEHOOK_TERMINATION_MESSAGE';
/** Mode of the message file: every user in the container may write it. */
const FILE_MODE = 0o666;
const FOLDER_MODE = 0o755;

export interface MessagePlace {
  readonly podFolder: string;
  readonly container: Container;
  readonly id: string;
}

/** Creates the message file before a run. The same run always gets the same path. */
export async function terminationFile(
  files: Files,
  place: MessagePlace,
): Promise<{ readonly env: Readonly<Record<string, string>>; readonly mounts: readonly Mount[] }> {
  const source = fileOf(place);
  await files.makeFolder(source.slice(0, source.lastIndexOf('/')), FOLDER_MODE);
  await files.replace(source, '', { mode: FILE_MODE });
  const target = place.container.terminationMessagePath ?? DEFAULT_PATH;
  return {
    env: { [MESSAGE_VARIABLE]: source },
    mounts: [{ name: 'termination-message', source, target, readOnly: false }],
  };
}

function fileOf({ podFolder, id }: MessagePlace): string {
  return `${podFolder}/messages/${id}`;
}

export interface MessageReading extends MessagePlace {
  readonly tails: FileTails;
  readonly timers: Timers;
}

/** The same container, but its `end` includes its termination message. */
export async function withMessage(
  container: RunningContainer,
  reading: Omit<MessageReading, 'id'>,
): Promise<RunningContainer> {
  const reported = new ContainerWithMessage(container, { ...reading, id: container.id });
  // A container that has already exited is returned only once its message is read.
  if (container.end !== null) await reported.ended;
  return reported;
}

class ContainerWithMessage implements RunningContainer {
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly pid: number;
  readonly imageId: string;
  readonly startedAtMs: number;
  readonly logPath: string;
  readonly ended: Promise<ContainerEnd>;
  readonly signal: RunningContainer['signal'];
  readonly exec: RunningContainer['exec'];
  readonly attach: RunningContainer['attach'];
  readonly #container: RunningContainer;
  #end: ContainerEnd | null = null;

  constructor(container: RunningContainer, reading: MessageReading) {
    this.#container = container;
    this.id = container.id;
    this.labels = container.labels;
    this.pid = container.pid;
    this.imageId = container.imageId;
    this.startedAtMs = container.startedAtMs;
    this.logPath = container.logPath;
    this.signal = (signal) => container.signal(signal);
    this.exec = (spec) => container.exec(spec);
    this.attach = () => container.attach();
    this.ended = this.#seeEnd(reading);
  }

  get end(): ContainerEnd | null {
    return this.#end;
  }

  async kill(): Promise<void> {
    await this.#container.kill();
    await this.ended;
  }

  async remove(): Promise<void> {
    await this.#container.remove();
  }

  async #seeEnd(reading: MessageReading): Promise<ContainerEnd> {
    const end = await this.#container.ended;
    const message = end.message ?? (await messageOf(this.#container, end, reading));
    this.#end = message === '' ? end : { ...end, message };
    return this.#end;
  }
}

/** Returns '' if there is no message, or if the file cannot be read. */
async function messageOf(
  { logPath: path }: RunningContainer,
  { exitCode }: ContainerEnd,
  reading: MessageReading,
): Promise<string> {
  const { container, tails, timers } = reading;
  try {
    const written = await lastBytes(tails, fileOf(reading));
    const fromLog = container.terminationMessagePolicy === 'FallbackToLogsOnError';
    if (written !== '' || !fromLog || exitCode === 0) return written;
    return await endOfLog({ tails, timers, path });
  } catch {
    return '';
  }
}

/** Maximum number of bytes of the file that are read; the message is the end of them. */
const READ_MAX_BYTES = 1_048_576;

async function lastBytes(tails: FileTails, path: string): Promise<string> {
  const tail = await tails.open(path);
  if (tail === null) return '';
  try {
    const text = await tail.read(0, READ_MAX_BYTES);
    return decode(text.slice(-FILE_MAX_BYTES));
  } finally {
    await tail.close();
  }
}

async function endOfLog(
  log: Pick<MessageReading, 'tails' | 'timers'> & { path: string },
): Promise<string> {
  const signal = new AbortController().signal;
  const files = { ...log, follow: false, finished: () => true, signal };
  const wish = {
    follow: false,
    timestamps: false,
    sinceMs: null,
    tailLines: LOG_MAX_LINES,
    limitBytes: null,
  };
  let bytes = '';
  for await (const part of readLog(files, wish)) {
    bytes = (bytes + String.fromCharCode(...part.subarray(-LOG_MAX_BYTES))).slice(-LOG_MAX_BYTES);
  }
  return decode(bytes);
}

function decode(bytes: string): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
}
