import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { connect as connectSocket, type Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';

import type {
  SupervisorCall,
  SupervisorConnection,
  Supervisors,
  DetachedProcess,
} from './supervision.ts';
import type { ByteText, Exit } from './platform.ts';
import { posixError } from './posix-error.ts';

/** Starts supervisors as processes, and connects to their sockets. */
export const nodeSupervisors: Supervisors = { start, connect };

const logMode = 0o600;
/**
 * A longer path, in bytes, is reached through a descriptor of its directory: in sockaddr_un the maximum is 107.
 */
const addressMaxBytes = 100;

function start({ argv, env, folder }: SupervisorCall): DetachedProcess {
  const log = fs.openSync(join(folder, 'supervisor.log'), 'a', logMode);
  try {
    const child = spawn(argv[0] ?? '', argv.slice(1), {
      env,
      cwd: folder,
      detached: true,
      stdio: ['ignore', log, log],
    });
    // Lets this process exit while the supervisor is running.
    child.unref();
    const exited = new Promise<Exit>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => {
        resolve({ code, signal });
      });
    });
    return { pid: child.pid ?? 0, exited };
  } finally {
    fs.closeSync(log);
  }
}

async function connect(socketPath: string): Promise<SupervisorConnection> {
  if (Buffer.byteLength(socketPath) <= addressMaxBytes) return connected(socketPath);
  const folder = fs.openSync(dirname(socketPath), 'r');
  try {
    return await connected(`/proc/self/fd/${folder}/${basename(socketPath)}`);
  } finally {
    fs.closeSync(folder);
  }
}

async function connected(path: string): Promise<SupervisorConnection> {
  const socket = connectSocket(path);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => undefined);
  return {
    incoming: incomingOf(socket),
    write: (bytes) => {
      if (socket.writable) socket.write(Buffer.from(bytes, 'latin1'));
    },
    close: () => {
      socket.destroy();
    },
  };
}

async function* incomingOf(socket: Socket): AsyncGenerator<ByteText> {
  try {
    for await (const bytes of socket) yield (bytes as Buffer).toString('latin1');
  } catch (error) {
    // A connection that was cut off, or that this side has closed, is not an error but the end.
    if (!socket.destroyed) throw posixError('EIO', String(error), error);
  }
}
