#!/usr/bin/env node
/**
 * The entry: dispatch and exit code. `--version` is answered before anything is loaded; all else is
 * `program.cjs`.
 */
import process from 'node:process';
import { exitCodes } from './cli/exit-codes.ts';
import { loadCompiled } from './cli/load-compiled.ts';
import type * as program from './cli/program.ts';
import { programFolder } from './cli/program-folder.ts';
import { version } from './cli/version.ts';

async function main(args: readonly string[]): Promise<number> {
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    process.stdout.write(`${version}\n`);
    return exitCodes.done;
  }
  return loadCompiled<typeof program>(programFolder(), 'program').exports.runProgram(args);
}

/** A reader that went away (`lifehook … | head`) is not a failure. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// Containers outlive the command that made them: nothing that is still open may hold it back.
process.exit(await main(process.argv.slice(2)));
