/**
 * Requesters of a snapshot of the database, each with its kind of freeze. `take` resolves when the requester has
 * finished.
 */
import { snapshots } from '../src/kube/snapshots.ts';
import { kubectlPath, run } from '../test/e2e/cluster-stand.ts';
import { eventually } from '../test/fixtures/api-cases/eventually.ts';
import { DATA, SERVER } from '../test/fixtures/snapshot-databases/written-database.ts';
import { completeSnapshot, type SnapshotCluster } from './snapshot-cluster.ts';
import type { BackupHooks, Velero } from './velero.ts';

export interface Way {
  readonly name: string;
  /** Whether a SnapshotGuard guards the claim meanwhile. */
  readonly isGuarded: boolean;
  take(id: string): Promise<void>;
}

const READY_SECONDS = 60;
const CONTAINER = { container: 'server', onError: 'Fail' };

/**
 * The hooks in the documentation of Velero 1.18. The lock is released when the client exits, at the end of the command.
 */
export const DOCUMENTED: BackupHooks = {
  name: 'documented',
  pre: [
    {
      exec: {
        ...CONTAINER,
        command: ['/bin/sh', '-c', 'mariadb -e "FLUSH TABLES WITH READ LOCK"'],
      },
    },
  ],
};

/** A client in the background keeps the lock until the post hook stops that client. */
export const HELD: BackupHooks = {
  name: 'held',
  pre: [
    {
      exec: {
        ...CONTAINER,
        command: [
          '/bin/sh',
          '-c',
          `rm -f /tmp/locked; (printf 'FLUSH TABLES WITH READ LOCK;\\n\\! touch /tmp/locked\\nSELECT SLEEP(120);\\n' | mariadb >/dev/null 2>&1 & echo $! >/tmp/holder) </dev/null >/dev/null 2>&1; until [ -e /tmp/locked ]; do sleep 0.05; done`,
        ],
      },
    },
  ],
  post: [
    {
      exec: {
        ...CONTAINER,
        command: [
          '/bin/sh',
          '-c',
          `mariadb -N -e "SELECT CONCAT('KILL ', id, ';') FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP%'" | mariadb`,
        ],
      },
    },
  ],
};

/** Takes the snapshot by our own ApplicationSnapshot with the recipe. */
export function ownRequest(cluster: SnapshotCluster, volumeSnapshotClassName: string): Way {
  return {
    name: 'own-request',
    isGuarded: false,
    take: async (id) => {
      await completeSnapshot(cluster, id, {
        source: { persistentVolumeClaimNames: [DATA] },
        volumeSnapshotClassName,
        executionHookInfos: [{ recipe: { name: 'mariadb-lock' } }],
      });
    },
  };
}

/** Takes the snapshot by `kubectl create` of a VolumeSnapshot. */
export function kubectlCreate(cluster: SnapshotCluster, isGuarded: boolean): Way {
  const where = ['--kubeconfig', cluster.kubeconfig, '-n', cluster.namespace];
  const kubectl = async (args: readonly string[], input = ''): Promise<string> => {
    const { code, stdout, stderr } = await run(kubectlPath(), [...where, ...args], input);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  return {
    name: isGuarded ? 'kubectl-guarded' : 'kubectl',
    isGuarded,
    take: async (id) => {
      const object = {
        apiVersion: 'snapshot.storage.k8s.io/v1',
        kind: 'VolumeSnapshot',
        metadata: { name: id },
        spec: { source: { persistentVolumeClaimName: DATA } },
      };
      await kubectl(['create', '-f', '-'], JSON.stringify(object));
      const isReady = async (): Promise<boolean> =>
        (await cluster.client.get(snapshots, { namespace: cluster.namespace, name: id })).status
          ?.readyToUse === true;
      await eventually(`${id} is ready`, isReady, READY_SECONDS);
    },
  };
}

/** Takes the snapshot by a backup of Velero. */
export function veleroBackup(
  velero: Velero,
  options: { readonly isGuarded?: boolean; readonly hooks?: BackupHooks; readonly suffix?: string },
): Way {
  const { isGuarded = false, hooks, suffix = '' } = options;
  const freeze = isGuarded ? '-guarded' : hooks === undefined ? '' : `-${hooks.name}`;
  return {
    name: `velero${suffix}${freeze}`,
    isGuarded,
    take: async (id) => {
      const phase = await velero.backup(id, hooks);
      if (phase !== 'Completed') throw new Error(`the backup ${id} of ${SERVER} ended as ${phase}`);
    },
  };
}
