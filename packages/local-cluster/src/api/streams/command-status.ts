/** How a command ended, as the status channel tells it. */
import type { Status } from '../../../../../src/kube/api-error.ts';
import { exitCodeOf, type ProcessEnd } from '../../../../../src/model/exit-code.ts';
import { internalError, statusOf } from '../status.ts';

/** What is told of an end that nobody saw. */
const UNSEEN = 255;

export function statusOfExit(end: ProcessEnd, argv: readonly string[]): Status {
  const code = exitCodeOf(end) ?? UNSEEN;
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
