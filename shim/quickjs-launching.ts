/**
 * The launcher's side of src/platform/launched-processes.ts: one JSON object per line on stdin requests a start or a
 * signal; frames on stdout, "<id> <kind> <bytes>\n" and that many bytes, report the results.
 *
 * - The frames of one process are in this order: started, output, exit. After exit, only output may follow: that of
 *    processes of the group that are still cleaning up.
 * - Writes of frames block: if the reader is slow, the programs wait at their full pipes, and nothing is buffered here.
 *    All frames of one turn are one write. Each write wakes Node, so the frame of a start waits a moment: the exit may
 *    be in the same write.
 * - At the end of stdin the launcher exits. The programs keep running, as they do when Node itself is killed.
 */
import * as native from 'lifehook:native';
import * as os from 'qjs:os';
import * as std from 'qjs:std';

import type { ByteText, Signal } from '../src/platform/platform.ts';
import { codeOf } from '../src/platform/posix-error.ts';
import { signalNumbers } from './quickjs-children.ts';
import { bytePump, feed, pumpBytes, type Pump } from './quickjs-pipes.ts';
import { connect, follow, type Following, start } from './quickjs-processes.ts';

interface Start {
  readonly file: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin?: string;
  readonly output: boolean;
  readonly untilGroupEnds: boolean;
}

interface Request {
  readonly id: number;
  readonly start?: Start;
  readonly signal?: Signal;
  /** Id of the process group that gets the signal. */
  readonly pid?: number;
}

export function serveLaunches(): void {
  let unfinished: ByteText = '';
  pumpBytes(requests, {
    onData: (bytes) => {
      const lines = `${unfinished}${bytes}`.split('\n');
      unfinished = lines.pop() ?? '';
      // The lines are not validated: the program that wrote them is of the same build.
      for (const line of lines) serve(JSON.parse(native.decode(line)) as Request);
    },
    onEnd: () => std.exit(0),
  });
}

const requests = 0;
const frames = 1;

/** The started programs that are running, or whose group is still cleaning up. */
const followed = new Map<number, Following>();

function serve({ id, start: program, signal, pid = 0 }: Request): void {
  if (program !== undefined) launch(id, program);
  if (signal === undefined) return;
  const running = followed.get(id);
  if (running !== undefined) running.signalGroup(signal);
  // The leader of the group has exited and was removed from `followed`; other members of the group may still run.
  else if (pid > 0) os.kill(-pid, signalNumbers[signal]);
}

function launch(id: number, program: Start): void {
  const { stdin, output, untilGroupEnds } = program;
  const wires = connect({ stdin, output });
  let pid: number;
  try {
    pid = start({ ...program, stdio: wires.childEnds, bond: ownGroup });
  } catch (error) {
    for (const fd of wires.ours) if (fd >= 0) os.close(fd);
    report(id, 'failed', native.encode(codeOf(error) ?? 'EINVAL'));
    return;
  } finally {
    for (const fd of wires.childEnds) os.close(fd);
  }
  report(id, 'started', String(pid));
  if (stdin !== undefined) feed(wires.ours[0], native.encode(stdin));
  const [, stdout, stderr] = wires.ours;
  const pumps = output ? [relay(id, 'stdout', stdout), relay(id, 'stderr', stderr)] : [];
  const onClosed = (): void => {
    followed.delete(id);
  };
  const running = follow(pid, pumps, { onClosed, untilGroupEnds });
  followed.set(id, running);
  void reportExit(id, running);
}

/**
 * The programs keep running when the launcher is killed, as children of Node do. The launcher leads a session without a
 * terminal, so they need no session of their own. Linux under load divides processor time between sessions: in sessions
 * of their own the programs would each get less.
 */
const ownGroup = 3;

/**
 * Sent with the exit if no process of the group is left. To find that out itself, Node would have to signal the group,
 * and to create an error for ESRCH.
 */
const groupExited = ' gone';

async function reportExit(id: number, running: Following): Promise<void> {
  const { code, signal } = await running.exited;
  const group = running.groupAlive() ? '' : groupExited;
  report(id, 'exit', `${signal ?? String(code)}${group}`);
}

function relay(id: number, stream: 'stdout' | 'stderr', fd: number): Pump {
  return bytePump(fd, (bytes) => {
    report(id, stream, bytes);
  });
}

/** Milliseconds that the frame of a start waits, so that the exit can be sent with it. */
const startMs = 3;
/** Number of buffered bytes at which they are sent at once. */
const unsentMax = 64 * 1024;

let unsent: ByteText = '';
let due: { readonly timer: os.Timer; readonly ms: number } | null = null;

function report(id: number, kind: string, payload: ByteText): void {
  unsent += `${id} ${kind} ${payload.length}\n${payload}`;
  if (unsent.length >= unsentMax) flush();
  else flushAfter(kind === 'started' ? startMs : 0);
}

function flushAfter(ms: number): void {
  if (due !== null) {
    if (due.ms <= ms) return;
    os.clearTimeout(due.timer);
  }
  due = { timer: os.setTimeout(flush, ms), ms };
}

/** Writes all buffered frames. If the reader has exited, no frame is needed any more, and this process exits. */
function flush(): void {
  if (due !== null) os.clearTimeout(due.timer);
  due = null;
  let rest = unsent;
  unsent = '';
  while (rest !== '') {
    const taken = native.write(frames, rest);
    if (taken < 0) std.exit(0);
    rest = rest.slice(taken);
  }
}
