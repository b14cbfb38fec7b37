import { Command } from 'commander';
import { expect, it } from 'vitest';

import { addConvertCommand } from './commands.ts';

it('refuses standard input that is named twice, since it can be read once', async () => {
  const program = new Command();
  addConvertCommand(program, () => undefined);
  for (const command of program.commands) {
    command.exitOverride().configureOutput({ writeErr: () => undefined });
  }
  const parsed = program.parseAsync(['node', 'lifehook', 'convert', '-', 'no-such-file', '-']);
  await expect(parsed).rejects.toThrow(
    "error: command-argument value '-' is invalid for argument 'file'. Standard input can be read only once.",
  );
  const once = program.parseAsync(['node', 'lifehook', 'convert', 'no-such-file', 'none']);
  await expect(once).rejects.toThrow("ENOENT: no such file or directory, stat 'no-such-file'");
});
