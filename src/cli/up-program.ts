/**
 * The program `up.cjs`: the command line with `up` as its only command. The whole command tree would take longer to
 * load than everything else that `lifehook up` does before it starts the cluster's process.
 */
import type { Command } from 'commander';

import { addUp } from './cluster/up-command.ts';
import type { Settle } from './exit-codes.ts';
import { rootCommand, runCommandLine } from './root-command.ts';

/** Runs `up`. `args`: "up" and its options. Resolves with the exit code; never rejects. */
export function runUpProgram(args: readonly string[]): Promise<number> {
  return runCommandLine(args, buildUpProgram);
}

export function buildUpProgram(settle: Settle): Command {
  const program = rootCommand();
  addUp(program, settle);
  return program;
}
