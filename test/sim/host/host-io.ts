/** Input and output of a container's supervisor on a simulated machine: it holds the streams and writes the log. */
import { encodeUtf8 } from '../../../src/platform/byte-text.ts';
import { posixError } from '../../../src/platform/posix-error.ts';
import type {
  Channel,
  ChannelEvents,
  ContainerIo,
  HeldProcess,
  HeldSpec,
  LogOutput,
} from '../../../src/platform/supervisor-host.ts';
import type { Host } from './host.ts';
import { exitedOf, startFrom } from './host-ports.ts';
import type { HostProcess, Sink } from './host-process.ts';

export function ioOf(host: Host, process: HostProcess): ContainerIo {
  const notCalled = (): never => {
    throw new Error('the supervisor of a container without a node does not do that');
  };
  return {
    openLog: (path) => openLog(host, process, path),
    renameNow: (from, to) => {
      host.tree.rename(from, to);
    },
    spawn: (spec) => spawn(host, process, spec),
    listen: notCalled,
    childrenOf: notCalled,
    signal: notCalled,
    awaitTerminal: null,
  };
}

/**
 * Opens a log for output. A write takes no simulated time, like a write to the page cache. If the disk is full, it
 * fails.
 */
function openLog(
  { tree, watch, disk, faults }: Host,
  _process: HostProcess,
  path: string,
): LogOutput {
  const refuse = (): void => {
    if (disk.full.chance(disk.dice, faults.full ? 1 : faults.shortage))
      throw posixError('ENOSPC', `ENOSPC: simulated, write to ${path}`);
  };
  if (tree.find(path) === undefined) tree.put(path, tree.newFile());
  const file = tree.file(path);
  return {
    get size() {
      return file.bytes.length;
    },
    write: (bytes) => {
      refuse();
      watch.onText?.(path, bytes);
      file.bytes += bytes;
      file.image += bytes;
    },
    truncate: (size) => {
      file.bytes = file.bytes.slice(0, size);
      file.image = file.image.slice(0, size);
    },
    close: () => undefined,
  };
}

function spawn(host: Host, process: HostProcess, spec: HeldSpec): HeldProcess {
  const { file, argv, env, cwd, endsWithUs } = spec;
  const [stdout, stderr] = [new Output(), new Output()];
  const sink: Sink = {
    reader: process,
    write: (stream, text) => {
      if (process.alive) (stream === 'stdout' ? stdout : stderr).deliver(encodeUtf8(text));
    },
    onEnd: () => {
      if (process.alive) for (const output of [stdout, stderr]) output.end();
    },
    holders: 0,
  };
  const start = { file, argv, env, cwd, stdin: '', sink, isBonded: endsWithUs };
  let child: HostProcess | null;
  try {
    child = startFrom(host, process, start);
  } catch (error) {
    throw posixError('ENOENT', error instanceof Error ? error.message : String(error));
  }
  const exited = exitedOf(host, process, child);
  const resize = (): void => undefined;
  return { pid: child?.pid ?? 0, exited, stdin: null, stdout, stderr, resize };
}

/** The reading end of a pipe. */
class Output implements Channel {
  #events: ChannelEvents | null = null;
  closed = false;

  open(events: ChannelEvents): void {
    this.#events = events;
  }

  deliver(bytes: string): void {
    if (!this.closed) this.#events?.onData(bytes);
  }

  end(): void {
    if (!this.closed) this.#events?.onEnd();
  }

  close(): void {
    this.closed = true;
  }

  pause(): void {}

  resume(): void {}

  write(): boolean {
    return true;
  }

  finish(): void {}
}
