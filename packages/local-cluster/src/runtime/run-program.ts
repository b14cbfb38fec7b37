/**
 * Runs one external program with a timeout. The call takes at most timeout + KILL_WAIT_MS.
 *
 * A program that does not exit after KILL is stuck in the kernel, for example on a frozen file system. The caller gets
 * a promise of its exit, so that it does not start another program meanwhile.
 */
import type { Platform, RunningProcess } from '../../../../src/platform/platform.ts';

export type ProgramPlatform = Pick<Platform, 'processes' | 'timers'>;

export type ProgramEnd =
  | { readonly kind: 'ended'; readonly code: number; readonly message: string }
  /** The program is not installed. */
  | { readonly kind: 'missing'; readonly message: string }
  /** The program exceeded the timeout and was killed. */
  | { readonly kind: 'late'; readonly message: string }
  /** The program exceeded the timeout, and still exists after KILL. */
  | { readonly kind: 'stuck'; readonly message: string; readonly exited: Promise<void> };

/** Milliseconds after KILL until a program counts as stuck. */
export const KILL_WAIT_MS = 2_000;
/** Maximum number of characters of output that are kept; earlier output is dropped. */
const OUTPUT_CHARACTERS = 2_000;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export async function runProgram(
  { processes, timers }: ProgramPlatform,
  argv: readonly string[],
  timeoutMs: number,
): Promise<ProgramEnd> {
  let output = '';
  const running = processes.spawn({
    file: argv[0] ?? '',
    argv,
    env: { PATH, LC_ALL: 'C' },
    onOutput: (_stream, text) => {
      output = (output + text).slice(-OUTPUT_CHARACTERS);
    },
  });
  const end = running.exited.then(
    ({ code, signal }): ProgramEnd => {
      const why = output.trim() === '' ? `ended with ${code ?? signal ?? ''}` : output.trim();
      return { kind: 'ended', code: code ?? -1, message: why };
    },
    (error: unknown): ProgramEnd => ({ kind: 'missing', message: String(error) }),
  );
  const limit = limited(timers, timeoutMs);
  const first = await Promise.race([end, limit.reached]);
  limit.callOff();
  return first ?? kill(running, end, { timers, argv, timeoutMs });
}

async function kill(
  running: RunningProcess,
  end: Promise<ProgramEnd>,
  {
    timers,
    argv,
    timeoutMs,
  }: Pick<ProgramPlatform, 'timers'> & {
    readonly argv: readonly string[];
    readonly timeoutMs: number;
  },
): Promise<ProgramEnd> {
  running.signalGroup('SIGKILL');
  const limit = limited(timers, KILL_WAIT_MS);
  const killed = await Promise.race([end, limit.reached]);
  limit.callOff();
  const message = `${argv.join(' ')} did not end within ${timeoutMs / 1000} s`;
  if (killed !== null) return { kind: 'late', message };
  return { kind: 'stuck', message, exited: end.then(() => undefined) };
}

function limited(
  timers: Platform['timers'],
  ms: number,
): { readonly reached: Promise<null>; readonly callOff: () => void } {
  let callOff = (): void => {};
  const reached = new Promise<null>((resolve) => {
    callOff = timers.after(ms, () => {
      resolve(null);
    });
  });
  return {
    reached,
    callOff: () => {
      callOff();
    },
  };
}
