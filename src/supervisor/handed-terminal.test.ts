import { describe, expect, it } from 'vitest';

import { posixError } from '../platform/posix-error.ts';
import type { ContainerIo, SupervisorHost, Terminal } from '../platform/supervisor-host.ts';
import type { Program } from './frames.ts';
import { startInTerminal } from './handed-terminal.ts';

const program: Program = {
  file: '/usr/bin/crun',
  argv: ['crun', 'exec', 'web', 'sh'],
  env: {},
  cwd: '/',
  user: null,
};

/** A host whose runtime hands over a terminal, with the calls that free what the host holds. */
function hostWith(io: Pick<ContainerIo, 'spawn'>): {
  readonly host: SupervisorHost;
  readonly calls: string[];
} {
  const calls: string[] = [];
  const terminal = {
    channel: { close: () => calls.push('the terminal is closed') },
    resize: () => undefined,
  } as unknown as Terminal;
  const awaitTerminal: ContainerIo['awaitTerminal'] = (_path, onTerminal) => () => {
    calls.push('the wait is stopped');
    onTerminal(terminal);
  };
  const host = {
    pid: 1,
    io: { ...io, awaitTerminal },
    files: {
      read: async (path: string) => Promise.reject(posixError('ENOENT', `no ${path}`)),
      remove: async () => undefined,
    },
  } as unknown as SupervisorHost;
  return { host, calls };
}

describe('a command in a terminal', () => {
  it('leaves no wait for a terminal if the runtime cannot be started', async () => {
    const { host, calls } = hostWith({
      spawn: () => {
        throw posixError('ENOENT', 'no crun');
      },
    });
    await expect(startInTerminal({ host, folder: '/node' }, program, 'e1')).rejects.toThrow(
      'no crun',
    );
    expect(calls).toContain('the wait is stopped');
  });

  it('leaves no terminal if the pid of the command cannot be read', async () => {
    const exited = Promise.resolve({ code: 0, signal: null });
    const runtime = { pid: 2, exited, stdin: null, stdout: { close: () => undefined } };
    const { host, calls } = hostWith({ spawn: () => runtime as never });
    await expect(startInTerminal({ host, folder: '/node' }, program, 'e1')).rejects.toThrow(
      'no /node/e1.pid',
    );
    expect(calls).toEqual(['the wait is stopped', 'the terminal is closed']);
  });
});
