/**
 * The signals to this process, and the exits of its children. All used signals are read from one descriptor. With
 * handlers of QuickJS, a signal could arrive between the check for pending signals and the wait. QuickJS would notice
 * it only at the next event.
 */
import * as native from 'lifehook:native';
import * as os from 'qjs:os';

import type { Exit, Signal } from '../src/platform/platform.ts';

export const signalNumbers: Readonly<Record<Signal, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGUSR2: 12,
  SIGTERM: 15,
};

/** The number of a signal that `Exit` names. */
export function signalNumber(name: string): number {
  const known = [...namesByNumber].find(([, other]) => other === name)?.[0];
  return known ?? Number(name.slice('SIG'.length));
}

/** From now on the signal calls `callback`; its default action is disabled. */
export function onSignal(number: number, callback: () => void): void {
  handlers.set(number, callback);
  watch();
}

/** Restores the default action of every signal. */
export function defaultSignals(): void {
  native.signals(-1);
}

/** Resolves when this child, started or adopted, has exited. Never resolves for a process that is not a child. */
export function childExit(pid: number): Promise<Exit> {
  watch();
  const ended = unclaimed.get(pid);
  unclaimed.delete(pid);
  if (ended !== undefined) return Promise.resolve(ended);
  return new Promise((resolve) => {
    waiting.set(pid, resolve);
  });
}

/** Whether this process has a child that is still running. Reaps all children that have exited. */
export function hasChildren(): boolean {
  return reap();
}

/** Starts to reap children. Call it before the first child is started, so that no exit is missed. */
export function watchChildren(): void {
  watch();
}

const childSignal = 17;
/** SIGPIPE. It is blocked: a write to a closed pipe fails with EPIPE instead. */
const pipeSignal = 13;
/** The size of struct signalfd_siginfo. */
const signalBytes = 128;
/**
 * Maximum number of exits of adopted orphans that are kept until a caller requests them; the oldest is dropped first.
 */
const unclaimedMax = 1024;

/** The signals that `Exit` names; others, such as real-time signals, are "SIG34" and so on. */
const namesByNumber = new Map<number, string>([
  ...Object.entries(signalNumbers).map(([name, number]): [number, string] => [number, name]),
  [4, 'SIGILL'],
  [5, 'SIGTRAP'],
  [6, 'SIGABRT'],
  [7, 'SIGBUS'],
  [8, 'SIGFPE'],
  [11, 'SIGSEGV'],
  [13, 'SIGPIPE'],
  [14, 'SIGALRM'],
  [24, 'SIGXCPU'],
  [25, 'SIGXFSZ'],
  [31, 'SIGSYS'],
]);

const handlers = new Map<number, () => void>();
const waiting = new Map<number, (exit: Exit) => void>();
const unclaimed = new Map<number, Exit>();
let descriptor = -1;
let watched = 0;

function watch(): void {
  if (descriptor !== -1 && watched === handlers.size) return;
  watched = handlers.size;
  const isNew = descriptor === -1;
  descriptor = native.signals(descriptor, childSignal, pipeSignal, ...handlers.keys());
  if (isNew) os.setReadHandler(descriptor, readSignals);
}

function readSignals(): void {
  const buffer = new ArrayBuffer(signalBytes);
  while (os.read(descriptor, buffer, 0, signalBytes) === signalBytes) {
    const [number = 0] = new Uint32Array(buffer, 0, 1);
    if (number === childSignal) reap();
    else handlers.get(number)?.();
  }
}

/** Reaps all exited children, since one SIGCHLD may report many. Returns whether a child is still running. */
function reap(): boolean {
  for (;;) {
    const [pid, status] = os.waitpid(-1, os.WNOHANG);
    if (pid <= 0) return pid === 0;
    settle(pid, exitOf(status));
  }
}

function settle(pid: number, exit: Exit): void {
  const resolve = waiting.get(pid);
  waiting.delete(pid);
  if (resolve !== undefined) {
    resolve(exit);
    return;
  }
  unclaimed.set(pid, exit);
  const [oldest] = unclaimed.keys();
  if (unclaimed.size > unclaimedMax && oldest !== undefined) unclaimed.delete(oldest);
}

/** wait(2): the low seven bits are the signal, the next byte is the exit code. */
function exitOf(status: number): Exit {
  const signal = status & 0x7f;
  return signal === 0
    ? { code: (status >> 8) & 0xff, signal: null }
    : { code: null, signal: namesByNumber.get(signal) ?? `SIG${signal}` };
}
