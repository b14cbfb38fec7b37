import type { Command } from 'commander';

import type { Settle } from '../exit-codes.ts';
import { addLintCommand } from '../lint/lint-command.ts';

/** `lifehook pod …`: declarations only. */
export function addPodCommands(program: Command, settle: Settle): void {
  const pod = program
    .command('pod')
    .description('Check the postStart and preStop hooks of pods')
    .helpCommand(false);
  addLintCommand(pod, settle);
}
