import type { Command } from 'commander';

import type { Settle } from '../exit-codes.ts';
import { addLintCommand } from '../lint/lint-command.ts';

/** Declares `lifehook pod …`; a command's code is imported when it runs. */
export function addPodCommands(program: Command, settle: Settle): void {
  const pod = program
    .command('pod')
    .description('Check the postStart and preStop hooks of pods')
    .helpCommand(false);
  addLintCommand(pod, settle);
}
