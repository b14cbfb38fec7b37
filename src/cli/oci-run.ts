/** `lifehook oci run`: a container in the foreground, from its first hook to its last. */
import process from 'node:process';
import { runContainer } from '../lifecycles/container/life/run-container.ts';
import { exitCodeOf } from '../model/exit-code.ts';
import { exitCodes } from './exit-codes.ts';
import { createOptions, lifeOf, type CreateCommandOptions } from './life-options.ts';
import { settleOutcome } from './oci-life.ts';

/** Ends with the program's own exit code, as a runtime does. */
export async function runOciRun(id: string, options: CreateCommandOptions): Promise<number> {
  const run = await runContainer(lifeOf(options), await createOptions(id, options));
  if (run.kind !== 'ended') return settleOutcome(run);
  const exitCode = exitCodeOf(run.exit);
  if (exitCode !== null) return exitCode;
  process.stderr.write(`The exit code of ${id} is unknown: ${run.exit.reason}.\n`);
  return exitCodes.failed;
}
