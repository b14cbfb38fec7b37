/**
 * What a keeper answers on its socket: waiting for the end, the container's own streams, commands in
 * it, signals to it. One connection, one purpose; closing it lets go of the container's streams, and
 * ends the input of a command, or kills one that has none. Runs natively too: nothing here that QuickJS lacks.
 */
import type { Channel, KeptProcess } from '../../../platform/keeper-host.ts';
import { codeOf } from '../../../platform/posix-error.ts';
import {
  bytesFrame,
  frameReader,
  wordFrame,
  type Frame,
  type Purpose,
  type Word,
} from './frames.ts';
import { Input } from './input.ts';
import type { Keeper } from './keeper.ts';
import { Outputs, type Listener } from './outputs.ts';
import { endVisitor, signalContainer } from './process-tree.ts';

/** What a connection does with what comes after its purpose. */
interface Session {
  onFrame(frame: Frame): void;
  onDrain(): void;
  onClose(): void;
}

const quiet: Session = {
  onFrame: () => undefined,
  onDrain: () => undefined,
  onClose: () => undefined,
};

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

type Say = (word: Word) => void;

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

interface Visit {
  readonly purpose: Extract<Purpose, { kind: 'exec' }>;
  readonly say: Say;
}

function exec(keeper: Keeper, connection: Channel, { purpose, say }: Visit): Session {
  const { host, visitors } = keeper;
  const { program, stdin, tty } = purpose;
  let process: KeptProcess;
  try {
    if (keeper.end !== null) throw new Error('the container has ended');
    process = host.keeping.spawn({ ...program, stdin, tty, endsWithUs: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    say({ kind: 'failed', code: codeOf(error) ?? 'EIO', message });
    return quiet;
  }
  visitors.add(process.pid);
  say({ kind: 'started' });
  const readsInput = stdin && !tty;
  return visit(keeper, connection, { process, say, readsInput });
}

interface Visitor {
  readonly process: KeptProcess;
  readonly say: Say;
  /** Not from a terminal. */
  readonly readsInput: boolean;
}

function visit(
  { host, visitors }: Keeper,
  connection: Channel,
  { process, say, readsInput }: Visitor,
): Session {
  visitors.add(process.pid);
  const outputs = new Outputs();
  const input = new Input(process);
  const listener = listenerOf(connection);
  outputs.add(listener);
  outputs.connect(process, () => {
    input.drained();
  });
  const tellEnd = async (): Promise<void> => {
    const exit = await process.exited;
    visitors.delete(process.pid);
    await outputs.drained(host.timers, true);
    say({ kind: 'exited', exit });
    process.stdin?.close();
  };
  void tellEnd();
  return {
    onFrame: (frame) => {
      if (frame.kind === 'r') process.resize(frame.size);
      else pass(input, say, { frame, ends: true });
    },
    onDrain: () => {
      outputs.unblock(listener);
    },
    onClose: () => {
      outputs.remove(listener);
      // As on a real node: what reads its input learns from its end that nobody is there, and may tidy up.
      if (readsInput) input.finish();
      else if (visitors.has(process.pid)) endVisitor(host, process.pid);
    },
  };
}

function listenerOf(connection: Channel): Listener {
  return (stream, bytes) => connection.write(bytesFrame(stream === 'stdout' ? 'o' : 'e', bytes));
}

function pass(
  input: Input,
  say: Say,
  { frame, ends }: { readonly frame: Frame; readonly ends: boolean },
): void {
  if (frame.kind === 'c' && ends) input.finish();
  if (frame.kind !== 'i') return;
  input.write(frame.bytes, () => {
    say({ kind: 'taken' });
  });
}
