#!/usr/bin/env node
/**
 * The entry: parse, dispatch, exit code. `--version` is answered before anything is loaded, and each
 * command loads its own code, because every start pays for what it imports.
 */
import process from 'node:process';
import { exitCodes } from './cli/exit-codes.ts';
import { version } from './cli/version.ts';

async function main(args: readonly string[]): Promise<number> {
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    process.stdout.write(`${version}\n`);
    return exitCodes.done;
  }
  const { runProgram } = await import('./cli/program.ts');
  return runProgram(args);
}

/** A reader that went away (`lifehook … | head`) is not a failure. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// Containers outlive the command that made them: nothing that is still open may hold it back.
process.exit(await main(process.argv.slice(2)));
