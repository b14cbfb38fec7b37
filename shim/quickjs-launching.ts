/**
 * The launcher's side of src/platform/launched-processes.ts: one JSON object per line on stdin asks for a start or a
 * signal; frames on stdout, "<id> <kind> <bytes>\n" and that many bytes, tell what becomes of it.
 *
 * - The frames of one process keep their order: started, its output, exit. Nothing comes after exit but output of
 *    a group that tidies up.
 * - Frames are written blocking: while the reader is busy, programs wait at their pipes, and nothing piles up here.
 *    Those of one turn are one write. The start of a program waits a moment for its end, since each write wakes Node.
 * - At the end of stdin the launcher exits. The programs live on, as they do when Node itself is killed.
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
  /** Of the group that the signal is for. */
  readonly pid?: number;
}

export function serveLaunches(): void {
  let unfinished: ByteText = '';
  pumpBytes(requests, {
    onData: (bytes) => {
      const lines = `${unfinished}${bytes}`.split('\n');
      unfinished = lines.pop() ?? '';
      // Written by the other side of this protocol, which is built together with this one.
      for (const line of lines) serve(JSON.parse(native.decode(line)) as Request);
    },
    onEnd: () => std.exit(0),
  });
}

const requests = 0;
const frames = 1;

/** Processes that run or whose group tidies up. */
const followed = new Map<number, Following>();

function serve({ id, start: program, signal, pid = 0 }: Request): void {
  if (program !== undefined) launch(id, program);
  if (signal === undefined) return;
  const running = followed.get(id);
  if (running !== undefined) running.signalGroup(signal);
  // Its leader has exited and was forgotten here; members of the group may be left.
  else if (pid > 0) os.kill(-pid, signalNumbers[signal]);
}

function launch(id: number, program: Start): void {
  const { stdin, output, untilGroupEnds } = program;
  const wires = connect({ stdin, output });
  let pid: number;
  try {
    pid = start({ ...program, stdio: wires.theirs, bond: ownGroup });
  } catch (error) {
    for (const fd of wires.ours) if (fd >= 0) os.close(fd);
    tell(id, 'failed', native.encode(codeOf(error) ?? 'EINVAL'));
    return;
  } finally {
    for (const fd of wires.theirs) os.close(fd);
  }
  tell(id, 'started', String(pid));
  if (stdin !== undefined) feed(wires.ours[0], native.encode(stdin));
  const [, stdout, stderr] = wires.ours;
  const pumps = output ? [relay(id, 'stdout', stdout), relay(id, 'stderr', stderr)] : [];
  const onClosed = (): void => {
    followed.delete(id);
  };
  const running = follow(pid, pumps, { onClosed, untilGroupEnds });
  followed.set(id, running);
  void tellExit(id, running);
}

/**
 * They live on when whoever started them is killed, as those of Node do. The launcher leads a session without a terminal,
 * so theirs needs none either: a new one costs each of them its share of the processor on a busy Linux, which groups
 * processes by session.
 */
const ownGroup = 3;

/** Said with the end, since to ask costs Node the making of an error each time. */
const groupGone = ' gone';

async function tellExit(id: number, running: Following): Promise<void> {
  const { code, signal } = await running.exited;
  const group = running.groupAlive() ? '' : groupGone;
  tell(id, 'exit', `${signal ?? String(code)}${group}`);
}

function relay(id: number, stream: 'stdout' | 'stderr', fd: number): Pump {
  return bytePump(fd, (bytes) => {
    tell(id, stream, bytes);
  });
}

/** How long the start of a program waits to be told together with its end, milliseconds. */
const startMs = 3;
/** Bytes that are held at most. */
const unsentMax = 64 * 1024;

let unsent: ByteText = '';
let due: { readonly timer: os.Timer; readonly ms: number } | null = null;

function tell(id: number, kind: string, payload: ByteText): void {
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

/** A reader that is gone has taken its interest with it. */
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
