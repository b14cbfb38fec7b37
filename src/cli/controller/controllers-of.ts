/** Builds the controllers of one cluster with their dependencies. */
import type { Controller } from '../../controller/controller.ts';
import type { Observe } from '../../controller/controller-event.ts';
import { EventRecorder } from '../../controller/event-recorder.ts';
import type { Informer } from '../../controller/informer.ts';
import { SharedInformers, type WatchScope } from '../../controller/shared-informers.ts';
import { watchCluster } from '../../controller/watch-cluster.ts';
import type { KubeConnection } from '../../kube/client.ts';
import { execInPod, openExec } from '../../kube/exec.ts';
import { readLogTail } from '../../kube/log-tail.ts';
import { readReferencedSecrets } from '../../kube/referenced-secrets.ts';
import { makeKubeClient } from '../../kube/make-client.ts';
import type { RolloutContext } from '../../lifecycles/rollout/context.ts';
import { rolloutControllers } from '../../lifecycles/rollout/controllers.ts';
import { rolloutEnvelope } from '../../lifecycles/rollout/rollout-event.ts';
import type { ContainerAccess } from '../../lifecycles/snapshot/context.ts';
import { snapshotControllers } from '../../lifecycles/snapshot/controllers.ts';
import { allowedHosts } from '../../lifecycles/snapshot/hook/hook-hosts.ts';
import { type ExecutionHook, executionHooks } from '../../lifecycles/snapshot/kinds.ts';
import { snapshotEnvelope } from '../../lifecycles/snapshot/snapshot-event.ts';
import type { ObservedEvent } from '../../observe/observed-event.ts';
import { nodePlatform } from '../../platform/node-platform.ts';

export interface ControllersOptions {
  /** Opens a connection to the cluster: called twice, since thaws have separate sockets. */
  readonly connect: () => KubeConnection;
  readonly scope: WatchScope;
  /** Hosts to which hooks may send requests, besides their pods. Absent: none. */
  readonly allowedHosts?: readonly string[];
  readonly observe: (event: ObservedEvent) => void;
  readonly observeController: Observe;
  /** Absent: no rollout controllers, because the server lacks their kinds. */
  readonly rollouts?: Pick<RolloutContext, 'prove' | 'isAuthored'>;
}

export interface Controllers {
  readonly informers: SharedInformers;
  readonly controllers: readonly Controller[];
  readonly recorder: EventRecorder;
  readonly hooks: Informer<ExecutionHook>;
}

export function controllersOf(options: ControllersOptions): Controllers {
  const { connect, scope, observe, observeController } = options;
  const connection = connect();
  const informers = new SharedInformers({
    watch: watchCluster(connection),
    observe: observeController,
  });
  const world = { client: makeKubeClient(connection), platform: nodePlatform, random: Math.random };
  const recorder = new EventRecorder({
    ...world,
    component: 'lifehook-controller',
    observe: observeController,
  });
  const { client, platform } = world;
  const after = (ms: number, callback: () => void): (() => void) =>
    platform.timers.after(ms, callback);
  const secretsOf: ContainerAccess['secretsOf'] = (key) =>
    readReferencedSecrets({ client, after }, key);
  const all = { ...world, informers, scope, recorder, observeController };
  const ofSnapshots = snapshotControllers({
    ...all,
    freezing: { ...accessOver(connection), secretsOf },
    thawing: { ...accessOver(connect()), secretsOf },
    isAllowedHost: allowedHosts(options.allowedHosts ?? []),
    observe: (event) => {
      observe(snapshotEnvelope(event, platform.clock.nowMs()));
    },
  });
  const { rollouts } = options;
  const ofRollouts =
    rollouts === undefined
      ? []
      : rolloutControllers({
          ...all,
          ...rollouts,
          observe: (event) => {
            observe(rolloutEnvelope(event, platform.clock.nowMs()));
          },
          readLogTail: async (pod, limits) => {
            const secrets = await secretsOf({
              ...pod,
              namespace: pod.namespace ?? '',
              pod: pod.name,
            });
            return readLogTail(connection, pod, { ...limits, secrets });
          },
        });
  const hooks = informers.of(executionHooks, { scope });
  return { informers, controllers: [...ofSnapshots, ...ofRollouts], recorder, hooks };
}

function accessOver(connection: KubeConnection): Omit<ContainerAccess, 'secretsOf'> {
  return {
    exec: (request) => execInPod(connection, request),
    openExec: (request) => openExec(connection, request),
    network: nodePlatform.network,
  };
}
