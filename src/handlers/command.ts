import type { AttemptRequest } from '../engine/act.ts';
import type { AttemptResult } from '../model/attempt.ts';
import type { CommandHandler } from '../model/hook.ts';
import { makeMasker, secretValues } from '../model/secrets.ts';
import { errorText, exitText } from '../platform/error-text.ts';
import { codeOf } from '../platform/posix-error.ts';
import type { Exit, Platform, RunningProcess, SpawnSpec } from '../platform/platform.ts';
import { sleep } from '../platform/sleep.ts';
import { describeStop, firstSignal, reachedLimit, watchLimits } from './limits.ts';
import type { Limits, StopCause } from './limits.ts';
import { captureOutput } from './output-tail.ts';

/**
 * A command on the host: one process with exactly this argv, environment and directory, no shell. Part of the shim:
 * uses nothing that QuickJS lacks.
 *
 * ENG-C1  The attempt ends when the group leader exits, even if other processes still hold its pipes. Background
 *     processes of the hook keep running: a hook may start a daemon.
 * ENG-C2  At the deadline or a cancellation the whole group gets TERM, a grace period to clean up, and then KILL: no
 *     member outlives the attempt. After Ctrl-C it gets INT first, as from a terminal, and TERM after half of the
 *     grace period. (Processes that left the group by setsid are out of reach here; the runner of container hooks
 *     reaches them: whole-tree.ts.)
 * ENG-C3  The first cause decides the outcome: a command that exits with 0 during its grace period has still timed out.
 * ENG-C4  No behaviour of a hook makes this reject, or wait longer than deadline + grace period + killWaitMs.
 */
export function runCommand(
  handler: CommandHandler,
  request: AttemptRequest,
  platform: CommandPlatform,
): Promise<AttemptResult> {
  return runCaptured(handler, request, {
    clock: platform.clock,
    toEnd: (spec) => runToEnd(request, platform, () => platform.processes.spawn(spec)),
  });
}

/**
 * The way to run a command: `toEnd` starts the described process and waits for its end, within the limits of the
 * request.
 */
export interface Ending {
  readonly clock: Platform['clock'];
  readonly toEnd: (spec: SpawnSpec) => Promise<End>;
}

/** Like `runCommand`, for a command that another process starts and watches. */
export async function runCaptured(
  handler: CommandHandler,
  request: AttemptRequest,
  { clock, toEnd }: Ending,
): Promise<AttemptResult> {
  const secrets = [...(request.secrets ?? []), ...secretValues(handler.env ?? {})];
  const masker = makeMasker(secrets, request.lateSecrets);
  const output = captureOutput(masker, request.onOutput);
  const startedMs = clock.monotonicMs();
  const end = await toEnd({
    ...describeProcess(handler),
    onOutput: (stream, text, byteLength) => {
      output.add(stream, text, byteLength);
    },
  });
  return {
    outcome: outcomeOf(end),
    exitCode: end.exit?.code ?? null,
    signal: end.exit?.signal ?? null,
    durationMs: clock.monotonicMs() - startedMs,
    ...output.finish(),
    reason: masker.text(reasonOf(end, request)),
  };
}

function describeProcess({ path, command, env, cwd, stdin }: CommandHandler): SpawnSpec {
  return {
    file: path ?? command[0] ?? '',
    argv: command,
    env: env ?? {},
    ...(cwd === undefined ? {} : { cwd }),
    ...(stdin === undefined ? {} : { stdin }),
  };
}

export type CommandPlatform = Pick<Platform, 'clock' | 'timers' | 'processes'>;

/** Maximum time between TERM and KILL, milliseconds. */
export const graceMsMax = 2000;
/** The grace period as a fraction of the timeout: 250 ms for a timeout of 1 s, and the maximum from 8 s on. */
const gracePartOfTimeout = 1 / 4;
/**
 * Milliseconds to wait for the exit after KILL. Only a process that is stuck in the kernel survives KILL, but on a busy
 * machine other processes exit late.
 */
export const killWaitMs = 10_000;
/** Milliseconds between two checks of the group: the operating system has no event for the end of a process group. */
const groupPollMs = 10;

/** The end of a command. `exit` is null if the command never started or was stuck; then `failure` has the reason. */
export interface End {
  readonly exit: Exit | null;
  readonly cause: StopCause | null;
  readonly failure: string | null;
  /** True: the command may still be running, but its exit can no longer be observed. */
  readonly isUnseen?: boolean;
  /** Processes outside the command's group that were killed together with it, each as "4711 (sleep)"; absent: none. */
  readonly alsoEnded?: readonly string[];
}

/** Runs a process to its end, within the limits. Never rejects: an error of the process is in the result. */
export async function runToEnd(
  request: Limits,
  platform: Pick<Platform, 'clock' | 'timers'>,
  start: () => RunningProcess,
): Promise<End> {
  const tooLate = reachedLimit(request);
  if (tooLate !== null) return { exit: null, cause: tooLate, failure: 'it was not started' };
  const running = start();
  const limits = watchLimits(request, platform.timers);
  try {
    const first = await Promise.race([running.exited, limits.reached]);
    if (typeof first === 'object') return { exit: first, cause: null, failure: null };
    const stop = { first: firstSignal(first, request), graceMs: graceMs(request.timeoutMs) };
    const exit = await stopGroup(running, platform, stop);
    const alsoEnded = running.reached?.() ?? [];
    return {
      exit,
      cause: first,
      failure: exit === null ? 'it could not be killed' : null,
      ...(alsoEnded.length === 0 ? {} : { alsoEnded }),
    };
  } catch (error) {
    const failure = errorText(error);
    return { exit: null, cause: null, failure, isUnseen: codeOf(error) === 'ESRCH' };
  } finally {
    limits.release();
  }
}

interface Stop {
  readonly first: 'SIGINT' | 'SIGTERM';
  readonly graceMs: number;
}

async function stopGroup(
  running: RunningProcess,
  platform: Pick<Platform, 'clock' | 'timers'>,
  { first, graceMs: grace }: Stop,
): Promise<Exit | null> {
  const seen: { exit: Exit | null } = { exit: null };
  const note = (exit: Exit): void => {
    seen.exit = exit;
  };
  running.exited.then(note, () => undefined);
  // The grace period is for the whole group, not only the leader: a shell may exit at once while the client that it
  // started cleans up.
  const hasEnded = (): boolean => seen.exit !== null && !running.groupAlive();
  if (first === 'SIGINT') {
    running.signalGroup('SIGINT');
    await waitFor(hasEnded, grace / 2, platform);
  }
  if (!hasEnded()) {
    running.signalGroup('SIGTERM');
    await waitFor(hasEnded, first === 'SIGINT' ? grace / 2 : grace, platform);
  }
  running.signalGroup('SIGKILL');
  const isKilled = (): boolean => seen.exit !== null && running.finishKill?.() !== false;
  await waitFor(isKilled, killWaitMs, platform);
  return isKilled() ? seen.exit : null;
}

async function waitFor(
  isSo: () => boolean,
  limitMs: number,
  { clock, timers }: Pick<Platform, 'clock' | 'timers'>,
): Promise<void> {
  const endMs = clock.monotonicMs() + limitMs;
  for (let leftMs = limitMs; leftMs > 0 && !isSo(); leftMs = endMs - clock.monotonicMs()) {
    await sleep(timers, Math.min(groupPollMs, leftMs));
  }
}

function graceMs(timeoutMs: number | null): number {
  return timeoutMs === null ? graceMsMax : Math.min(graceMsMax, timeoutMs * gracePartOfTimeout);
}

function outcomeOf({ exit, cause, isUnseen = false }: End): AttemptResult['outcome'] {
  if (isUnseen) return 'Unknown';
  return cause ?? (exit?.code === 0 ? 'Succeeded' : 'Failed');
}

function reasonOf(end: End, request: Limits): string {
  if (end.isUnseen === true) return `${end.failure ?? ''} The command may still be running.`;
  if (end.cause === null)
    return end.failure ?? `The command ${exitText(end.exit ?? UNKNOWN_EXIT)}.`;
  const how = end.failure ?? `it ${exitText(end.exit ?? UNKNOWN_EXIT)}`;
  return `The command ${describeStop(end.cause, request)}: ${how}.${describeOthers(end)}`;
}

const UNKNOWN_EXIT: Exit = { code: null, signal: null };

/** Maximum number of processes that are listed by name. */
const othersShownMax = 8;

function describeOthers({ alsoEnded = [] }: End): string {
  const { length } = alsoEnded;
  if (length === 0) return '';
  const shown = alsoEnded.slice(0, othersShownMax).join(', ');
  const more = length > othersShownMax ? ` and ${length - othersShownMax} more` : '';
  const were = length === 1 ? 'was' : 'were';
  return ` ${length} of its processes ${were} outside of its group, and ${were} killed too: ${shown}${more}.`;
}
