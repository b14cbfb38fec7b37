/** A real cluster with all the kinds that `lifehook controller` needs, for the cases of deployment hooks. */
import { groupDefinitions, singleDefinitions } from '../../packages/local-cluster/src/index.ts';
import type { Definition } from '../../src/controller/definitions/definition.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import type { Resource } from '../../src/kube/object.ts';
import { customResourceDefinitions, namespaces } from '../../src/kube/resources.ts';
import { groupSnapshots, snapshots } from '../../src/kube/snapshots.ts';
import { eventually } from '../fixtures/api-cases/eventually.ts';
import { defineKinds } from '../fixtures/define-kinds.ts';
import { defineSnapshotKinds } from '../fixtures/define-snapshot-kinds.ts';
import { defineRolloutKinds } from '../fixtures/rollout/define-rollout-kinds.ts';
import { CASE_LABEL } from '../fixtures/rollout-cases/run-case.ts';
import { type ClusterConnection, connectToCluster } from './real-cluster.ts';

export interface CaseStand extends ClusterConnection {
  /**
   * Resolves when the namespaces of all cases are deleted. The controller must run until then, to release finalizers.
   */
  untilDeleted(): Promise<void>;
  /** Removes the kinds. Call it only after the controller has exited. */
  close(): Promise<void>;
}

/** The node takes 10 to 16 s to remove a pod. */
export const PATIENCE_MS = 150_000;
const DELETE_SECONDS = 120;

export async function openCaseStand(): Promise<CaseStand> {
  const { client, connection } = connectToCluster();
  const undo = [
    await defineVolumeSnapshots(client),
    await defineSnapshotKinds(client),
    await defineRolloutKinds(client),
  ];
  return {
    client,
    connection,
    untilDeleted: async () => {
      const look = async (): Promise<boolean> =>
        (await client.list(namespaces, { labelSelector: CASE_LABEL })).items.length === 0;
      await eventually('the namespaces of the cases are gone', look, DELETE_SECONDS);
    },
    close: async () => {
      for (const each of undo.toReversed()) await each();
      connection.transport.close();
    },
  };
}

/** Adds only the definitions that are missing, so that those of a storage driver stay unchanged. */
async function defineVolumeSnapshots(client: KubeClient): Promise<() => Promise<void>> {
  const { items } = await client.list(customResourceDefinitions);
  const there = new Set(items.map(({ metadata }) => metadata?.name));
  const definitions = [...singleDefinitions, ...groupDefinitions] as readonly unknown[];
  const missing = (definitions as readonly Definition[]).filter(
    ({ metadata: { name } }) => !there.has(name),
  );
  const resources = [snapshots, groupSnapshots] as readonly unknown[];
  return defineKinds(client, { definitions: missing, resources: resources as readonly Resource[] });
}
