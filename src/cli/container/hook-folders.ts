/**
 * The options that select the hook files: their directories, the accepted owners, and the reaction to invalid files.
 */
import { Option, type Command } from 'commander';
import { DEFAULT_HOOK_FOLDERS } from '../../lifecycles/container/points.ts';

export interface FolderOptions {
  readonly hooksDir?: readonly string[];
  readonly allowUntrusted?: boolean;
}

/** The default hooks directories, for help texts. */
export const withoutFolders: string = `default: ${DEFAULT_HOOK_FOLDERS.join(', ')}`;

export function addFolderOptions(command: Command): Command {
  return command
    .option(
      '--hooks-dir <directory>',
      `a hook directory; repeatable, the last one takes precedence (${withoutFolders})`,
      (folder: string, before: readonly string[] | undefined) => [...(before ?? []), folder],
    )
    .addOption(allowUntrustedOption());
}

export function allowUntrustedOption(): Option {
  return new Option(
    '--allow-untrusted',
    'also read files that users other than you and root may write',
  );
}

/**
 * Adds the options for commands that use hooks: the hooks directories, and the treatment of invalid files and hooks.
 */
export function addSelectionOptions(command: Command): Command {
  return addFolderOptions(command)
    .addOption(prestartOption())
    .addOption(
      new Option('--bad-files <how>', 'treatment of hook files that are unreadable or invalid')
        .choices(['refuse', 'skip'])
        .default('refuse'),
    )
    .addOption(
      new Option('--broken-hooks <how>', 'treatment of hooks whose program is missing')
        .choices(['skip', 'fail'])
        .default('skip'),
    );
}

export function prestartOption(): Option {
  return new Option('--prestart <how>', 'treatment of hooks of the deprecated stage prestart')
    .choices(['createRuntime', 'keep'])
    .default('createRuntime');
}
