/**
 * Sends changed files into one running container, as an archive for the container's tar. Deleted files are removed
 * first, so that a directory can replace a file.
 */
import type { ExecPort } from '../../../handlers/exec.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import type { ContainerTarget } from '../hooks/select-containers.ts';

/** The files to remove and to unpack. Built once, and the same for every container. */
export interface Delivery {
  readonly archives: readonly Archive[];
  /** Paths that are absolute, or relative to the working directory. */
  readonly deletes: readonly string[];
}

export interface Archive {
  /** The directory in the container into which the archive is unpacked. */
  readonly folder: string;
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
}

export type SendResult =
  | { readonly kind: 'sent' }
  | { readonly kind: 'cancelled' }
  /** `again`: whether a retry may help. The reason is the end of a sentence. */
  | { readonly kind: 'failed'; readonly reason: string; readonly again: boolean };

export interface SendPorts {
  readonly exec: ExecPort;
  readonly signal: CancelSignal;
}

/** Milliseconds that one command in a container may take. */
export const SEND_TIMEOUT_MS = 60_000;

/** Maximum bytes of names in one command, unless it has only one: far below the limit of a command line. */
const MAX_NAMES_BYTES = 65_536;

/** Maximum UTF-16 units kept of a command's output, for the message of its failure. */
const MAX_SAID_UNITS = 2_048;

const REMOVE = 'rm -rf -- "$@"';
const UNPACK = 'tar -xmof - -C "$1"';

export async function sendFiles(
  target: ContainerTarget,
  { archives, deletes }: Delivery,
  ports: SendPorts,
): Promise<SendResult> {
  const commands: Command[] = [
    ...namesInParts(deletes).map((names) => ({ script: REMOVE, words: names, input: [] })),
    ...archives.map(({ folder, pieces }) => ({
      script: UNPACK,
      words: [folder],
      input: pieces,
    })),
  ];
  for (const command of commands) {
    const result = await runIn(target, command, ports);
    if (result.kind !== 'sent') return result;
  }
  return { kind: 'sent' };
}

interface Command {
  readonly script: string;
  readonly words: readonly string[];
  readonly input: Archive['pieces'];
}

function namesInParts(names: readonly string[]): string[][] {
  const parts: string[][] = [];
  let left = 0;
  for (const name of names) {
    const bytes = new TextEncoder().encode(name).length + 1;
    left -= bytes;
    if (left < 0) {
      parts.push([]);
      left = MAX_NAMES_BYTES - bytes;
    }
    parts.at(-1)?.push(name);
  }
  return parts;
}

async function runIn(
  { namespace, pod, container }: ContainerTarget,
  { script, words, input }: Command,
  { exec, signal }: SendPorts,
): Promise<SendResult> {
  const decoder = new TextDecoder();
  let said = '';
  const result = await exec({
    namespace,
    pod,
    container,
    command: ['sh', '-c', script, 'sh', ...words],
    ...(input.length === 0 ? {} : { stdin: atItsPace(input) }),
    timeoutMs: SEND_TIMEOUT_MS,
    signal,
    onOutput: (_stream, bytes) => {
      said = `${said}${decoder.decode(bytes, { stream: true })}`.slice(-MAX_SAID_UNITS);
    },
  });
  switch (result.outcome) {
    case 'exited': {
      if (result.exitCode === 0) return { kind: 'sent' };
      const last = said.trim() === '' ? '' : `: ${said.trim()}`;
      return { kind: 'failed', reason: `exited with code ${result.exitCode}${last}`, again: false };
    }
    case 'failed':
      return { kind: 'failed', reason: result.status.message ?? 'was not started', again: true };
    case 'unknown':
      if (result.cause === 'cancelled') return { kind: 'cancelled' };
      return { kind: 'failed', reason: result.reason, again: true };
    default:
      return result satisfies never;
  }
}

async function* atItsPace(pieces: Archive['pieces']): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
