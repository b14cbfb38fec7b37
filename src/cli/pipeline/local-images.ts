/** The image store of a `lifehook up` cluster, where a kubeconfig context means one that runs on this machine. */
import { readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { ImagePort } from '../../lifecycles/pipeline/session.ts';
import { usualStateFolder } from '../cluster/state-folder.ts';
import { readRunning } from '../cluster/cluster-state.ts';
import type { CliCluster } from '../kube-connection.ts';

/** null: another cluster. */
export async function localImages(
  cluster: Pick<CliCluster, 'context' | 'server'>,
): Promise<ImagePort | null> {
  const folder = await stateFolderAt(cluster);
  if (folder === null) return null;
  // With it come tar and zlib, which a pipeline for another cluster need not wait for.
  const { imageStoreOf } = await import('../image-store-of.ts');
  const store = await imageStoreOf(folder);
  return {
    importImage: async ({ from, reference, config }) => {
      const given = config === undefined ? {} : { config };
      return (await store.importImage({ from, reference, ...given })).id;
    },
    idOf: async (reference) => (await store.resolve(reference))?.id ?? null,
    tag: async (existing, reference) => {
      await store.tag(existing, reference);
    },
  };
}

/**
 * A cluster's own kubeconfig lies in its state folder; one that was merged into another file is known by its server.
 * What counts is the server: a port is free for others when its cluster is down.
 */
async function stateFolderAt({
  context,
  server,
}: Pick<CliCluster, 'context' | 'server'>): Promise<string | null> {
  if (context === null) return null;
  const isOf = async (folder: string): Promise<boolean> =>
    (await readRunning(folder))?.server === server;
  const beside = dirname(await realpath(context.file));
  if (await isOf(beside)) return beside;
  const usual = usualStateFolder();
  // Without a home directory no local cluster can be there, and a pipeline for another cluster needs none.
  if (usual === null) return null;
  for (const name of await readdir(usual).catch((): string[] => [])) {
    if (await isOf(join(usual, name))) return join(usual, name);
  }
  return null;
}
