import * as supervisor from 'lifehook:supervisor';
import * as native from 'lifehook:native';
import * as os from 'qjs:os';

import type {
  Channel,
  ContainerIo,
  HeldProcess,
  HeldSpec,
  HeldStreams,
  LogOutput,
  Terminal,
} from '../src/platform/supervisor-host.ts';
import { directChildren } from '../src/platform/descendants.ts';
import type { ByteText } from '../src/platform/platform.ts';
import { check } from './errno.ts';
import { DescriptorChannel } from './quickjs-channels.ts';
import { childExit, signalNumbers } from './quickjs-children.ts';
import { openPipe } from './quickjs-pipes.ts';
import { openNull, start } from './quickjs-processes.ts';
import { procReader } from './quickjs-supervision.ts';

/** The native input and output of the supervisor of a container. */
export const quickjsContainerIo: ContainerIo = {
  listen: (path, onConnection) => {
    acceptAll(listenAt(path), (fd) => {
      onConnection(new DescriptorChannel(fd));
    });
  },
  openLog,
  renameNow: (from, to) => {
    check(os.rename(from, to), 'rename', from);
  },
  spawn,
  childrenOf: (pid) => directChildren(procReader, pid),
  signal: (pid, signal) => {
    os.kill(pid, signalNumbers[signal]);
  },
  awaitTerminal,
};

function awaitTerminal(socketPath: string, onTerminal: (terminal: Terminal) => void): () => void {
  const open = [listenAt(socketPath)];
  const [listening = -1] = open;
  const receive = (connection: number): void => {
    const fd = supervisor.receive(connection);
    stop();
    if (fd >= 0) onTerminal(terminalOn(fd));
  };
  const accept = (): void => {
    const connection = supervisor.accept(listening);
    if (connection < 0) return;
    open.push(connection);
    os.setReadHandler(connection, () => {
      receive(connection);
    });
  };
  const stop = (): void => {
    for (const fd of open.splice(0)) {
      os.setReadHandler(fd, null);
      os.close(fd);
    }
  };
  os.setReadHandler(listening, accept);
  return () => {
    if (open.length === 1) accept();
    const [, connection] = open;
    if (connection !== undefined) receive(connection);
    stop();
  };
}

/** open(2): O_CLOEXEC | O_APPEND | O_CREAT | O_WRONLY. */
const appendFlags = 0o2002101;
const logMode = 0o600;

function listenAt(path: string): number {
  return check(supervisor.listen(native.encode(path)), 'listen at', path);
}

function acceptAll(listening: number, onConnection: (fd: number) => void): void {
  os.setReadHandler(listening, () => {
    const fd = supervisor.accept(listening);
    if (fd >= 0) onConnection(fd);
  });
}

function openLog(path: string): LogOutput {
  const fd = check(os.open(path, appendFlags, logMode), 'open', path);
  let size = os.stat(path)[0].size;
  return {
    get size() {
      return size;
    },
    write: (bytes: ByteText) => {
      for (let rest = bytes; rest !== '';) {
        const taken = check(native.write(fd, rest), 'write', path);
        size += taken;
        rest = rest.slice(taken);
      }
    },
    truncate: (wanted) => {
      check(native.truncate(fd, wanted), 'truncate', path);
      size = wanted;
    },
    close: () => {
      os.close(fd);
    },
  };
}

function spawn(spec: HeldSpec): HeldProcess {
  const childEnds: number[] = [];
  const ours: number[] = [];
  try {
    const wires = spec.tty ? terminalWires(childEnds, ours) : pipeWires(spec, { childEnds, ours });
    const pid = startAs(spec, wires.stdio);
    return { ...wires.streams, pid, exited: childExit(pid) };
  } catch (error) {
    for (const fd of ours) os.close(fd);
    throw error;
  } finally {
    for (const fd of childEnds) os.close(fd);
  }
}

interface Wires {
  readonly stdio: readonly [number, number, number];
  readonly streams: HeldStreams;
}

function pipeWires(
  { stdin }: HeldSpec,
  { childEnds, ours }: { childEnds: number[]; ours: number[] },
): Wires {
  const output = (): { fd: number; channel: Channel } => {
    const pipe = openPipe('read');
    childEnds.push(pipe.write);
    ours.push(pipe.read);
    return { fd: pipe.write, channel: new DescriptorChannel(pipe.read) };
  };
  const input = stdin ? openPipe('write') : { read: openNull(), write: -1 };
  childEnds.push(input.read);
  if (stdin) ours.push(input.write);
  const [stdout, stderr] = [output(), output()];
  return {
    stdio: [input.read, stdout.fd, stderr.fd],
    streams: {
      stdin: stdin ? new DescriptorChannel(input.write, false) : null,
      stdout: stdout.channel,
      stderr: stderr.channel,
      resize: () => undefined,
    },
  };
}

function terminalWires(childEnds: number[], ours: number[]): Wires {
  const ends = supervisor.terminal();
  if (typeof ends === 'number') throw new Error(`no terminal: ${check(ends, 'open', '/dev/ptmx')}`);
  ours.push(ends[0]);
  childEnds.push(ends[1]);
  const { channel, resize } = terminalOn(ends[0]);
  return {
    stdio: [ends[1], ends[1], ends[1]],
    streams: { stdin: channel, stdout: channel, stderr: null, resize },
  };
}

function terminalOn(fd: number): Terminal {
  return {
    channel: new DescriptorChannel(fd),
    resize: ({ columns, rows }) => {
      supervisor.resize(fd, columns, rows);
    },
  };
}

const terminalMode = 0o620;
const asWeAre = -1;

function startAs(spec: HeldSpec, stdio: readonly [number, number, number]): number {
  const { user, tty, endsWithUs } = spec;
  if (tty && user !== null) native.own(stdio[0], terminalMode, user.uid, -1);
  if (user === null) supervisor.dress(tty ? 1 : 0, asWeAre);
  else supervisor.dress(tty ? 1 : 0, user.uid, user.gid, ...user.groups);
  try {
    return start({ ...spec, stdio, bond: endsWithUs ? 1 : 2 });
  } finally {
    supervisor.dress(0, asWeAre);
  }
}
