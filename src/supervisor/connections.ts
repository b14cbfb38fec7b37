/**
 * What a supervisor answers on its socket: waiting for the end, the container's own streams, commands in
 * it, signals to it. One connection, one purpose; closing it lets go of the container's streams, and
 * ends the input of a command, or kills one that has none. Runs natively too: nothing here that QuickJS lacks.
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
        // Whoever sends what is no frame is not the node.
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

function watch({ watchers, end }: Supervisor, say: Say, told: () => void): Session {
  const tell: Parameters<typeof watchers.add>[0] = (seen) => {
    say({ kind: 'ended', end: seen });
    told();
  };
  if (end !== null) tell(end);
  watchers.add(tell);
  return {
    ...quiet,
    onClose: () => {
      watchers.delete(tell);
    },
  };
}

/**
 * Whoever may still send input closes the connection, when it has read the last word: one that we close
 * breaks under what it sends just then, and what it has not read yet would be lost with it.
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
