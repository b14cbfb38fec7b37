/**
 * Runs commands in the container, one for each connection. If the connection is closed, the stdin of the command is
 * closed too; a command without stdin, or in a terminal, is killed. Also runs natively: uses nothing that QuickJS
 * lacks.
 */
import type { Channel, HeldProcess } from '../platform/supervisor-host.ts';
import { errorText } from '../platform/error-text.ts';
import { codeOf } from '../platform/posix-error.ts';
import type { Frame, Program, Purpose } from './frames.ts';
import { startInTerminal } from './handed-terminal.ts';
import type { Supervisor } from './supervisor.ts';
import { Outputs } from './outputs.ts';
import { endVisitor } from './process-tree.ts';
import { Input, listenerOf, pass, quiet, type Say, type Session } from './session.ts';

interface Visit {
  readonly purpose: Extract<Purpose, { kind: 'exec' }>;
  readonly say: Say;
}

export function exec(
  supervisor: Supervisor,
  connection: Channel,
  { purpose, say }: Visit,
): Session {
  const { host } = supervisor;
  const { program, stdin, tty, handover } = purpose;
  if (handover !== null && host.io.awaitTerminal !== null) {
    return execInTerminal(supervisor, connection, { program, handover, say });
  }
  let process: HeldProcess;
  try {
    requireRunning(supervisor);
    process = host.io.spawn({ ...program, stdin, tty, endsWithUs: true });
  } catch (error) {
    sayFailed(say, error);
    return quiet;
  }
  say({ kind: 'started' });
  const readsInput = stdin && !tty;
  return visit(supervisor, connection, { process, say, readsInput });
}

/** The message is that of the node, so a client knows that the command was not started. */
function requireRunning({ first, order }: Supervisor): void {
  if (first === null) throw new Error(`container not running (${order.id})`);
}

function sayFailed(say: Say, error: unknown): void {
  say({ kind: 'failed', code: codeOf(error) ?? 'EIO', message: errorText(error) });
}

interface TerminalVisit {
  readonly program: Program;
  readonly handover: string;
  readonly say: Say;
}

/**
 * Starts a command in a terminal. Frames that arrive before there is a terminal are queued. The queue stays short,
 * since a client waits for the confirmation of each piece of input before it sends the next one.
 */
function execInTerminal(
  supervisor: Supervisor,
  connection: Channel,
  { program, handover, say }: TerminalVisit,
): Session {
  const early: Frame[] = [];
  let isClosed = false;
  let session: Session = {
    ...quiet,
    onFrame: (frame) => {
      early.push(frame);
    },
    onClose: () => {
      isClosed = true;
    },
  };
  const begin = async (): Promise<void> => {
    requireRunning(supervisor);
    const { started, exit } = await startInTerminal(supervisor, program, handover);
    say({ kind: 'started' });
    if (started === null) {
      say({ kind: 'exited', exit });
      return;
    }
    session = visit(supervisor, connection, { process: started, say, readsInput: false });
    for (const frame of early.splice(0)) session.onFrame(frame);
    if (isClosed) session.onClose();
  };
  begin().catch((error: unknown) => {
    sayFailed(say, error);
  });
  return {
    onFrame: (frame) => {
      session.onFrame(frame);
    },
    onDrain: () => {
      session.onDrain();
    },
    onClose: () => {
      session.onClose();
    },
  };
}

interface Visitor {
  readonly process: HeldProcess;
  readonly say: Say;
  /** Whether stdin is a pipe; false for a terminal. */
  readonly readsInput: boolean;
}

function visit(
  { host, visitors }: Supervisor,
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
  const reportEnd = async (): Promise<void> => {
    const exit = await process.exited;
    visitors.delete(process.pid);
    await outputs.drained(host.timers, true);
    say({ kind: 'exited', exit });
    process.stdin?.close();
  };
  void reportEnd();
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
      // A command that reads its stdin sees the end of the file and can clean up, as on a real node.
      if (readsInput) input.finish();
      else void endVisitor(host, process.pid, () => visitors.has(process.pid));
    },
  };
}
