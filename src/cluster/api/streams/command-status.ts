/** How a command ended, as the status channel tells it. */
import type { Status } from '../../../kube/api-error.ts';
import { internalError, statusOf } from '../status.ts';

export function statusOfExit(
  { exitCode, signal }: { readonly exitCode: number | null; readonly signal: string | null },
  argv: readonly string[],
): Status {
  const code = exitCode ?? SIGNALLED + (NUMBERS[signal ?? ''] ?? UNKNOWN_SIGNAL);
  if (code === 0) return { status: 'Success' };
  const what = `error executing command [${argv.join(' ')}], exit code ${code}`;
  return {
    status: 'Failure',
    message: `command terminated with non-zero exit code: ${what}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}

/** It never ran. */
export function failedStatus(why: string): Status {
  return statusOf(internalError(`error executing command in container: ${why}`).failure);
}

/** As shells and container engines report an end by a signal. */
const SIGNALLED = 128;
const UNKNOWN_SIGNAL = 127;

const NUMBERS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
};
