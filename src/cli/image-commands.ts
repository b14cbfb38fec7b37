/** Runs the commands about images. */
import { resolve } from 'node:path';
import process from 'node:process';
import type { ImageStore, StoredImage } from '../../packages/local-cluster/src/index.ts';
import type { ClusterChoice } from './cluster/up-command.ts';
import { stateFolderOf } from './cluster/cluster-state.ts';
import { exitCodes } from './exit-codes.ts';
import { imageStoreOf } from './image-store-of.ts';
import { type Listing, printListing } from './listing.ts';
import type { ListFormat } from './shared-options.ts';

export interface ImportOptions extends ClusterChoice {
  readonly link?: boolean;
}

function openStore(choice: ClusterChoice): Promise<ImageStore> {
  return imageStoreOf(stateFolderOf(choice));
}

export async function importImage(
  path: string,
  name: string | undefined,
  options: ImportOptions,
): Promise<number> {
  const store = await openStore(options);
  const stored = await store.importImage({
    from: resolve(path),
    reference: name ?? null,
    link: options.link ?? false,
  });
  process.stdout.write(`${line(stored)}\n`);
  return exitCodes.done;
}

function line({ reference, id }: StoredImage): string {
  return `${reference}  ${id}`;
}

export async function listImages(
  options: ClusterChoice & { readonly output: ListFormat },
): Promise<number> {
  const items = await (await openStore(options)).list();
  const columns: Listing<StoredImage>['columns'] = [
    { heading: 'NAME', cell: ({ reference }) => reference },
    { heading: 'ID', cell: ({ id }) => id.slice(0, shortDigest) },
    { heading: 'SIZE', cell: ({ bytes }) => `${(bytes / bytesPerMegabyte).toFixed(1)} MB` },
    { heading: 'IMPORTED', cell: ({ importedAtMs }) => new Date(importedAtMs).toISOString() },
    { heading: 'DIGEST', cell: ({ id }) => id, isWide: true },
  ];
  printListing({ items, columns, nameOf: ({ reference }) => reference }, options.output);
  return exitCodes.done;
}

const shortDigest = 'sha256:'.length + 12;
const bytesPerMegabyte = 1_000_000;

export async function removeImage(name: string, options: ClusterChoice): Promise<number> {
  if (await (await openStore(options)).remove(name)) return exitCodes.done;
  process.stderr.write(`lifehook: there is no image ${name}; see "lifehook image list".\n`);
  return exitCodes.failed;
}

export async function tagImage(
  name: string,
  another: string,
  options: ClusterChoice,
): Promise<number> {
  const store = await openStore(options);
  process.stdout.write(`${line(await store.tag(name, another))}\n`);
  return exitCodes.done;
}
