/**
 * The server on a supervisor's socket: clients wait for the container's end, attach to its streams, run commands in it,
 * or send signals to it. One connection has one purpose. Closing it detaches from the container's streams, and closes
 * the stdin of a command, or kills a command without stdin. Also runs natively: uses nothing that QuickJS lacks.
 */
import type { Channel } from '../platform/supervisor-host.ts';
import { exec } from './commands.ts';
import { frameReader, wordFrame, type Purpose } from './frames.ts';
import type { Supervisor } from './supervisor.ts';
import { signalContainer } from './process-tree.ts';
import { listenerOf, pass, quiet, type Say, type Session } from './session.ts';

export function serve(supervisor: Supervisor, connection: Channel): void {
  let session = quiet;
  supervisor.connections.add(connection);
  const read = frameReader((frame) => {
    if (frame.kind === 'p') session = open(supervisor, connection, frame.purpose);
    else session.onFrame(frame);
  });
  const close = (): void => {
    connection.close();
    supervisor.connections.delete(connection);
    session.onClose();
    session = quiet;
  };
  connection.open({
    onData: (bytes) => {
      try {
        read(bytes);
      } catch {
        // The node sends only valid frames, so the client is not the node.
        close();
      }
    },
    onEnd: close,
    onDrain: () => {
      session.onDrain();
    },
  });
}

function open(supervisor: Supervisor, connection: Channel, purpose: Purpose): Session {
  const say: Say = (word) => {
    connection.write(wordFrame(word));
  };
  switch (purpose.kind) {
    case 'watch':
      return watch(supervisor, say, () => {
        connection.finish();
      });
    case 'signal':
      signalContainer(supervisor.host, supervisor, purpose.signal);
      say({ kind: 'done' });
      connection.finish();
      return quiet;
    case 'attach':
      return attach(supervisor, connection, say);
    case 'exec':
      return exec(supervisor, connection, { purpose, say });
    default:
      return purpose satisfies never;
  }
}

function watch({ watchers, end }: Supervisor, say: Say, reported: () => void): Session {
  const report: Parameters<typeof watchers.add>[0] = (seen) => {
    say({ kind: 'ended', end: seen });
    reported();
  };
  if (end !== null) report(end);
  watchers.add(report);
  return {
    ...quiet,
    onClose: () => {
      watchers.delete(report);
    },
  };
}

/**
 * An attached client closes the connection itself, after it has read the last message. If we closed it while the client
 * sends input, the connection would be reset, and output that the client has not read would be lost.
 */
const leftOpen = (): void => undefined;

function attach(supervisor: Supervisor, connection: Channel, say: Say): Session {
  const { streams, order } = supervisor;
  const { outputs, input } = streams;
  const listener = listenerOf(connection);
  outputs.add(listener);
  const watching = watch(supervisor, say, leftOpen);
  return {
    onFrame: (frame) => {
      if (frame.kind === 'r') streams.held?.resize(frame.size);
      else if (input !== null) pass(input, say, { frame, ends: order.stdinOnce });
    },
    onDrain: () => {
      outputs.unblock(listener);
    },
    onClose: () => {
      outputs.remove(listener);
      watching.onClose();
      if (order.stdinOnce) input?.finish();
    },
  };
}
