/**
 * The simulated nodes with their pods. Each container is an application that writes to the claims of its pod. Pods are
 * deleted and created again with the same name. Containers restart, and nodes are lost.
 */
import type { Container, ContainerStatus, Pod, PodStatus } from 'kubernetes-types/core/v1.js';

import type { KubeObject } from '../../../src/kube/object.ts';
import { nodes, pods } from '../../../src/kube/resources.ts';
import { copyOf, type SimApi, type Stored } from '../controller/sim-api.ts';
import type { World } from '../world.ts';
import { Application, type Lock } from './application.ts';

export const NAMESPACE = 'ns';

/** Plan of a pod, from which it is created again each time. */
export interface PodPlan {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly node: string;
  readonly containers: readonly string[];
  readonly lock: Lock;
  readonly claims: readonly string[];
  /** The container that runs a shared server, as "pod/container". All other containers share its lock. */
  readonly server?: string;
}

/** A pod that was deleted with a grace period. */
export interface Termination {
  readonly podUid: string;
  readonly node: string;
  readonly atMs: number;
  readonly graceMs: number;
}

/** Finalizer that keeps a terminating pod until its grace period is over. */
const GRACE_FINALIZER = 'simulation/grace';

export class SimCluster {
  /** The applications of all containers that ever existed. */
  readonly applications: Application[] = [];
  readonly lostNodes: Set<string> = new Set();
  /** Names of nodes that were lost at any time. */
  readonly everLost: Set<string> = new Set();
  readonly terminations: Termination[] = [];
  /** True when the namespace is being deleted, so that no pod is created any more. */
  isEnding: boolean = false;
  readonly #world: World;
  readonly #api: SimApi;
  readonly #plans = new Map<string, PodPlan>();
  /** The applications that an exec can reach, keyed by "pod/container". */
  readonly #reached = new Map<string, Application>();

  constructor(world: World, api: SimApi) {
    this.#world = world;
    this.#api = api;
  }

  get podNames(): string[] {
    return [...this.#plans.keys()];
  }

  /** The application that an exec can reach; undefined if the container does not exist. */
  reach(pod: string, container: string): Application | undefined {
    return this.#reached.get(`${pod}/${container}`);
  }

  /** True if the kubelet of the pod's node answers. */
  answers(pod: string): boolean {
    return !this.lostNodes.has(this.#plans.get(pod)?.node ?? '');
  }

  /** Applications that use the claim now. */
  on(claim: string): Application[] {
    return [...this.#reached.values()].filter(({ is }) => is.claims.includes(claim));
  }

  addNode(name: string): void {
    this.#api.create(nodes, nodeObject(name, 'True'));
  }

  addPod(plan: PodPlan): void {
    if (this.isEnding) return;
    this.#plans.set(plan.name, plan);
    const made = this.#api.create(pods, podObject(plan));
    for (const container of plan.containers) {
      const { name: pod, claims, lock, server = '' } = plan;
      const podUid = made.metadata.uid ?? '';
      const isClient = server !== '' && server !== `${pod}/${container}`;
      const shares = isClient ? { server: () => this.#reached.get(server) } : {};
      const is = { pod, podUid, container, claims, lock, ...shares };
      const application = new Application(this.#world, is);
      application.takeOver(this.applications.findLast((one) => isSamePlace(one, application)));
      this.applications.push(application);
      this.#reached.set(`${pod}/${container}`, application);
    }
  }

  /** Deletes the pod, ends it after its grace period, and after `awayMs` creates another pod of the same name. */
  replacePod(name: string, { graceMs, awayMs }: { graceMs: number; awayMs: number }): void {
    const plan = this.#plans.get(name);
    const key = { namespace: NAMESPACE, name };
    const pod = this.#api.find(pods, key);
    if (plan === undefined || pod === undefined || pod.metadata.deletionTimestamp !== undefined) {
      return;
    }
    this.#world.faults.met('pod deleted');
    this.#world.note(`pod ${name} is deleted`);
    const podUid = pod.metadata.uid ?? '';
    const { node } = plan;
    this.terminations.push({ podUid, node, atMs: this.#world.elapsedMs, graceMs });
    this.#api.delete(pods, key, {});
    this.#world.after(graceMs, () => {
      this.#remove(plan);
      this.#world.after(awayMs, () => {
        this.addPod(plan);
      });
    });
  }

  /** Evicts the pod, as a kubelet does. It stays as Failed without a deletionTimestamp until it is replaced. */
  evictPod(name: string, awayMs: number): void {
    const plan = this.#plans.get(name);
    const key = { namespace: NAMESPACE, name };
    const pod = this.#api.find(pods, key) as (Stored & { status?: PodStatus }) | undefined;
    const isThere = pod?.metadata.deletionTimestamp === undefined;
    if (plan === undefined || pod === undefined || !isThere || pod.status?.phase === 'Failed')
      return;
    this.#world.faults.met('pod evicted');
    this.#world.note(`pod ${name} is evicted`);
    const status: PodStatus = {
      ...(pod as unknown as Pod).status,
      phase: 'Failed',
      reason: 'Evicted',
    };
    this.#api.replace(pods, { ...pod, status } as unknown as Stored, 'object');
    this.#stop(plan);
    this.#world.after(awayMs, () => {
      const { metadata } = this.#api.find(pods, key) ?? {};
      if (metadata?.uid !== pod.metadata.uid || metadata?.deletionTimestamp !== undefined) return;
      this.#api.delete(pods, key, {});
      this.#remove(plan);
      this.addPod(plan);
    });
  }

  restartContainer(name: string, container: string, awayMs: number): void {
    const application = this.reach(name, container);
    const pod = this.#api.find(pods, { namespace: NAMESPACE, name }) as unknown as Pod | undefined;
    if (application?.alive !== true || pod === undefined) return;
    this.#world.faults.met('container restarted');
    this.#world.note(`container ${name}/${container} ends`);
    application.stop();
    this.#changeContainer(name, container, (status) => {
      const { containerID = '' } = status;
      status.state = { terminated: { exitCode: 137, containerID } };
    });
    this.#world.after(awayMs, () => {
      // A kubelet does not restart a container of a terminating pod.
      const found = this.#api.find(pods, { namespace: NAMESPACE, name });
      const isTerminating = found?.metadata.deletionTimestamp !== undefined;
      if (this.reach(name, container) !== application || isTerminating) return;
      application.restart();
      this.#changeContainer(name, container, (status) => {
        status.restartCount += 1;
        status.containerID = `sim://${name}-${container}-${status.restartCount}`;
        status.state = { running: {} };
      });
    });
  }

  loseNode(name: string, ms: number): void {
    this.#world.faults.met('node lost');
    this.#world.note(`node ${name} is lost for ${ms} ms`);
    this.lostNodes.add(name);
    this.everLost.add(name);
    this.#api.replace(nodes, this.#nodeAs(name, 'Unknown'), 'object');
    this.#world.after(ms, () => {
      this.lostNodes.delete(name);
      this.#api.replace(nodes, this.#nodeAs(name, 'True'), 'object');
    });
  }

  #nodeAs(name: string, ready: 'True' | 'Unknown'): NodeObject {
    const { metadata } = this.#api.get(nodes, { name });
    return { ...nodeObject(name, ready), metadata: { ...metadata, name } };
  }

  #stop(plan: PodPlan): void {
    for (const container of plan.containers) {
      this.reach(plan.name, container)?.stop();
      this.#reached.delete(`${plan.name}/${container}`);
    }
  }

  #remove(plan: PodPlan): void {
    this.#stop(plan);
    const body = { metadata: { finalizers: [] } };
    const key = { namespace: NAMESPACE, name: plan.name };
    this.#api.patch(pods, key, { type: 'merge', body });
  }

  #changeContainer(pod: string, name: string, change: (status: ContainerStatus) => void): void {
    const key = { namespace: NAMESPACE, name: pod };
    const found = this.#api.find(pods, key);
    if (found === undefined) return;
    const changed = copyOf(found) as Stored & { status?: PodStatus };
    const status = changed.status?.containerStatuses?.find((each) => each.name === name);
    if (status === undefined) return;
    change(status);
    this.#api.replace(pods, changed, 'object');
  }
}

function isSamePlace({ is }: Application, { is: other }: Application): boolean {
  return is.pod === other.pod && is.container === other.container;
}

interface NodeObject extends KubeObject {
  metadata: { name: string };
  status: object;
}

function nodeObject(name: string, ready: 'True' | 'Unknown'): NodeObject {
  return { metadata: { name }, status: { conditions: [{ type: 'Ready', status: ready }] } };
}

function podObject({ name, labels, node, containers, claims }: PodPlan): Pod {
  const volumes = claims.map((claimName) => ({
    name: `volume-${claimName}`,
    persistentVolumeClaim: { claimName },
  }));
  const volumeMounts = volumes.map((volume) => ({ name: volume.name, mountPath: '/data' }));
  const running = (container: string): ContainerStatus => ({
    name: container,
    containerID: `sim://${name}-${container}-0`,
    image: 'sim',
    imageID: 'sim',
    ready: true,
    restartCount: 0,
    state: { running: {} },
  });
  return {
    metadata: {
      namespace: NAMESPACE,
      name,
      labels: { ...labels },
      finalizers: [GRACE_FINALIZER],
    },
    spec: {
      nodeName: node,
      volumes,
      containers: containers.map((each): Container => ({ name: each, volumeMounts })),
    },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: containers.map(running),
    },
  };
}
