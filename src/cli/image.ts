/** `lifehook image ...`: declares the commands about the images of a local cluster. */
import type { Command } from 'commander';

import { type ClusterChoice, withCluster } from './cluster/up-command.ts';
import type { Settle } from './exit-codes.ts';
import type { ImportOptions } from './image-commands.ts';
import { type ListFormat, listOutputOption } from './shared-options.ts';

export function addImageCommands(program: Command, settle: Settle): void {
  const image = program
    .command('image')
    .description('Import and list images of the local cluster')
    .helpCommand(false);
  withCluster(image.command('import'))
    .description('Import a directory, or a file of docker save, podman save or docker export')
    .argument('<path>', 'directory, OCI image layout or tar file')
    .argument(
      '[name]',
      'name of the image in pods, such as web:v1; default: the name in the archive',
    )
    .option('--link', 'use the directory in place, including later changes')
    .addHelpText('after', '\nExample:\n  lifehook image import ./dist web:v1')
    .action(async (path: string, name: string | undefined, options: ImportOptions) => {
      const { importImage } = await import('./image-commands.ts');
      settle(await importImage(path, name, options));
    });
  withCluster(image.command('list'))
    .description('List the images')
    .addOption(listOutputOption())
    .action(async (options: ClusterChoice & { readonly output: ListFormat }) => {
      const { listImages } = await import('./image-commands.ts');
      settle(await listImages(options));
    });
  withCluster(image.command('remove'))
    .description('Remove a name of an image; the content is removed with its last name')
    .argument('<name>', 'name of the image, as listed; no container may use it')
    .action(async (name: string, options: ClusterChoice) => {
      const { removeImage } = await import('./image-commands.ts');
      settle(await removeImage(name, options));
    });
  withCluster(image.command('tag'))
    .description('Give an image another name')
    .argument('<name>', 'name of the image, as listed')
    .argument('<another>', 'additional name of the image')
    .action(async (name: string, another: string, options: ClusterChoice) => {
      const { tagImage } = await import('./image-commands.ts');
      settle(await tagImage(name, another, options));
    });
}
