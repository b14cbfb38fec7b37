/** The controllers of the snapshot lifecycle in a cluster. */
import { allowedHosts } from '../../handlers/allowed-hosts.ts';
import type { KubeConnection } from '../../kube/client.ts';
import { execInPod, openExec } from '../../kube/exec.ts';
import type { ContainerAccess } from '../../lifecycles/snapshot/context.ts';
import { snapshotControllers } from '../../lifecycles/snapshot/controllers.ts';
import { executionHooks } from '../../lifecycles/snapshot/kinds.ts';
import { snapshotEnvelope } from '../../lifecycles/snapshot/snapshot-event.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { ControllersOf } from '../lifecycle-parts.ts';

export const snapshotControllersOf: ControllersOf = (world) => {
  const { connection, connect, secretsOf, platform, observe, informers, scope } = world;
  const controllers = snapshotControllers({
    ...world,
    freezing: { ...accessOver(connection), secretsOf },
    thawing: { ...accessOver(connect()), secretsOf },
    isAllowedHost: allowedHosts(world.allowedHosts),
    observe: (event) => {
      observe(snapshotEnvelope(event, platform.clock.nowMs()));
    },
  });
  return { controllers, cache: informers.of(executionHooks, { scope }) };
};

function accessOver(connection: KubeConnection): Omit<ContainerAccess, 'secretsOf'> {
  return {
    exec: (request) => execInPod(connection, request),
    openExec: (request) => openExec(connection, request),
    network: nodePlatform.network,
  };
}
