#!/usr/bin/env node
/**
 * The entry of the program: it dispatches, and exits with the exit code. `--version` is answered before other code is
 * loaded. `up` is run by `up.cjs`, and every other command by `program.cjs`.
 */
import process from 'node:process';
import { exitCodes } from './cli/exit-codes.ts';
import type * as program from './cli/program.ts';
import { outliveOutput } from './cli/output-streams.ts';
import { loadCompiled, programFolder } from './cli/program-files.ts';
import type * as upProgram from './cli/up-program.ts';
import { version } from './cli/version.ts';

async function main(args: readonly string[]): Promise<number> {
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    process.stdout.write(`${version}\n`);
    return exitCodes.done;
  }
  const folder = programFolder();
  if (args[0] === 'up') {
    return loadCompiled<typeof upProgram>(folder, 'up').exports.runUpProgram(args);
  }
  return loadCompiled<typeof program>(folder, 'program').exports.runProgram(args);
}

const lostOutput = outliveOutput(process.stdout, process.stderr);

void run();

async function run(): Promise<never> {
  const exitCode = await main(process.argv.slice(2));
  // A pipe accepts 64 KiB at a time, and output that is not written before the process exits is lost.
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  // Exits explicitly: containers outlive the command that created them, and an open handle must not keep the process
  // alive.
  process.exit(exitCode === exitCodes.done ? codeOfOutput() : exitCode);
}

/** The exit code of a command that has succeeded: output that was not written is a failure. */
function codeOfOutput(): number {
  const why = lostOutput();
  if (why === null) return exitCodes.done;
  process.stderr.write(
    `error LHG002: The output could not be written completely: ${why}. Next: check the file or the device that the output goes to.\n`,
  );
  return exitCodes.failed;
}

/** Resolves when everything is written, or the reader has closed the stream. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => {
      resolve();
    });
  });
}
