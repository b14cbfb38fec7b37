/**
 * What a keeper answers on its socket: waiting for the end, the container's own streams, commands in
 * it, signals to it. One connection, one purpose; closing it lets go of the container's streams, and
 * ends the input of a command, or kills one that has none. Runs natively too: nothing here that QuickJS lacks.
 */
import type { Channel } from '../../../../../src/platform/keeper-host.ts';
import { exec } from './commands.ts';
import { frameReader, wordFrame, type Purpose } from './frames.ts';
import type { Keeper } from './keeper.ts';
import { signalContainer } from './process-tree.ts';
import { listenerOf, pass, quiet, type Say, type Session } from './session.ts';

export function serve(keeper: Keeper, connection: Channel): void {
  let session = quiet;
  keeper.connections.add(connection);
  const read = frameReader((frame) => {
    if (frame.kind === 'p') session = open(keeper, connection, frame.purpose);
    else session.onFrame(frame);
  });
  const close = (): void => {
    connection.close();
    keeper.connections.delete(connection);
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

function open(keeper: Keeper, connection: Channel, purpose: Purpose): Session {
  const say: Say = (word) => {
    connection.write(wordFrame(word));
  };
  switch (purpose.kind) {
    case 'watch':
      return watch(keeper, say, () => {
        connection.finish();
      });
    case 'signal':
      signalContainer(keeper.host, keeper, purpose.signal);
      say({ kind: 'done' });
      connection.finish();
      return quiet;
    case 'attach':
      return attach(keeper, connection, say);
    case 'exec':
      return exec(keeper, connection, { purpose, say });
    default:
      return purpose satisfies never;
  }
}

function watch({ watchers, end }: Keeper, say: Say, told: () => void): Session {
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

function attach(keeper: Keeper, connection: Channel, say: Say): Session {
  const { input, streams, order, outputs } = keeper;
  const listener = listenerOf(connection);
  outputs.add(listener);
  const watching = watch(keeper, say, leftOpen);
  return {
    onFrame: (frame) => {
      if (frame.kind === 'r') streams?.resize(frame.size);
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
