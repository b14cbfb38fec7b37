/**
 * The simulated nodes. They accept pods, start and stop containers, and report to the server. The containers of a lost
 * node continue to run, but it reports nothing and stops nothing.
 */
import type { ContainerState, Pod, PodStatus } from 'kubernetes-types/core/v1.js';

import { timeText } from '../../../src/controller/kube-time.ts';
import { pods } from '../../../src/kube/resources.ts';
import type { Entry, Stored } from '../controller/sim-api.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import type { Account, HookIdentity } from './account.ts';
import type { Fate } from './fates.ts';
import { SIDECAR } from './foreign-changes.ts';
import type { GatedApi } from './gated-api.ts';
import { type Known, knownOf } from './known-pod.ts';
import { missingReference } from './missing-reference.ts';
import { hookPhases } from './phases.ts';

const NODES = ['n0', 'n1'] as const;

export interface SimNodesOptions {
  readonly world: World;
  readonly api: GatedApi;
  readonly account: Account;
  readonly random: Random;
  readonly fateOf: (hook: HookIdentity) => Fate;
}

export class SimNodes {
  readonly #options: SimNodesOptions;
  readonly #known = new Map<string, Known>();
  readonly #lost = new Map<string, (() => void)[]>();

  constructor(options: SimNodesOptions) {
    this.#options = options;
    options.api.onCommit((entry) => {
      this.#look(entry);
    });
  }

  /** Loses a node for a while. `isUnknown`: the server sets the phase of its pods to Unknown. */
  lose(ms: number, isUnknown: boolean): void {
    const { world, random } = this.#options;
    const node = random.pick(NODES);
    if (this.#lost.has(node)) return;
    world.faults.met(isUnknown ? 'node lost, pods Unknown' : 'node lost');
    world.note(`node ${node} is lost for ${ms} ms`);
    this.#lost.set(node, []);
    for (const known of isUnknown ? this.#on(node) : [])
      if (!known.isReleased) this.#emit(known, (status) => ({ ...status, phase: 'Unknown' }));
    world.after(ms, () => {
      world.note(`node ${node} is back`);
      const waiting = this.#lost.get(node) ?? [];
      this.#lost.delete(node);
      for (const known of this.#on(node)) {
        if (known.run === null) this.#emit(known, (status) => ({ ...status, phase: 'Pending' }));
        else this.#report(known);
      }
      for (const act of waiting) act();
    });
  }

  /** Evicts the pod: its container exits, and the pod has the phase Failed without any container status. */
  evict(pod: Stored): void {
    const known = this.#known.get(pod.metadata.uid ?? '');
    if (known?.run?.endedMs !== null || this.#lost.has(known.node ?? '')) return;
    const { world, account } = this.#options;
    if (known.hook === null) world.faults.met('pod evicted');
    else
      world.faults.met('hook pod evicted', () =>
        hookPhases(known.hook?.stage, world.faults.phases()),
      );
    world.note(`${known.name} is evicted`);
    known.run.isStopped = true;
    account.end(known.run, 137);
    this.#emit(known, () => ({ phase: 'Failed', reason: 'Evicted' }));
  }

  #on(node: string): Known[] {
    return [...this.#known.values()].filter((known) => known.node === node);
  }

  #look({ resource, type, object }: Entry): void {
    if (resource !== pods.plural) return;
    const pod = object as unknown as Pod;
    const uid = object.metadata.uid ?? '';
    if (type === 'Delete') return;
    const known = this.#known.get(uid);
    if (known === undefined) this.#take(pod);
    else if (object.metadata.deletionTimestamp !== undefined && !known.isStopping)
      this.#stop(known);
  }

  #take(pod: Pod): void {
    const { random, world } = this.#options;
    const known = knownOf(pod);
    this.#known.set(known.uid, known);
    const fate = this.#fate(known);
    world.after(random.between(5, 300), () => {
      if (fate?.kind === 'noNode') this.#reportUnscheduled(known);
      else this.#bind(known);
    });
  }

  #fate({ hook }: Known): Fate | null {
    return hook === null ? null : this.#options.fateOf(hook);
  }

  #reportUnscheduled(known: Known): void {
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message: 'no node',
    };
    this.#emit(known, (status) => ({ ...status, conditions: [condition] }));
  }

  #bind(known: Known): void {
    const { api, random } = this.#options;
    const pod = this.#find(known);
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return;
    known.node = random.pick(NODES);
    const spec = { ...(pod.spec as object), nodeName: known.node };
    api.replace(pods, { ...pod, spec } as Stored, 'object');
    this.#onNode(known, random.between(20, 1_500), () => {
      this.#start(known);
    });
  }

  #start(known: Known): void {
    const { account, api, world, random } = this.#options;
    const pod = this.#find(known);
    if (pod === undefined || known.isStopping) return;
    const fate = this.#fate(known);
    if (fate?.kind === 'noImage') {
      this.#hold(known, 'ErrImagePull', 'no such image');
      return;
    }
    const missing = missingReference(api, pod as unknown as Pod);
    if (missing !== null) {
      this.#hold(known, 'CreateContainerConfigError', missing);
      this.#onNode(known, random.between(1_000, 10_000), () => {
        this.#start(known);
      });
      return;
    }
    const { uid: podUid, name: podName, version, hook } = known;
    known.run = account.start({ podUid, podName, version, hook });
    this.#report(known);
    if (fate === null) {
      if (version.includes('unready')) return;
      this.#onNode(known, random.between(50, 3_000), () => {
        if (known.run?.endedMs === null) this.#report(known, true);
      });
    } else if (fate.kind === 'ends') {
      world.after(fate.afterMs, () => {
        this.#end(known, fate.exitCode);
      });
    }
  }

  #hold(known: Known, reason: string, message: string): void {
    const waiting = { reason, message };
    this.#emit(known, (status) => this.#with(known, { ...status, phase: 'Pending' }, { waiting }));
  }

  #end(known: Known, exitCode: number): void {
    const { account, random } = this.#options;
    if (known.run === null || known.run.endedMs !== null) return;
    account.end(known.run, exitCode);
    this.#onNode(known, random.between(1, 400), () => {
      this.#report(known);
    });
  }

  /** Stops the container after the pod was deleted. */
  #stop(known: Known): void {
    known.isStopping = true;
    const { random, world } = this.#options;
    this.#onNode(known, random.between(5, 300), () => {
      if (known.run === null || known.run.endedMs !== null) {
        if (known.hasSidecar) this.#report(known);
        this.#release(known);
        return;
      }
      known.run.isStopped = true;
      const fate = this.#fate(known);
      const isDeaf =
        fate === null ? known.version.includes('deaf') : 'isDeaf' in fate && fate.isDeaf;
      const ms = isDeaf ? known.graceMs : random.between(10, known.graceMs / 2);
      const code = fate?.kind === 'hangs' ? fate.exitCode : 143;
      world.after(ms, () => {
        this.#onNode(known, 0, () => {
          this.#end(known, isDeaf ? 137 : code);
          this.#onNode(known, random.between(401, 1_500), () => {
            this.#release(known);
          });
        });
      });
    });
  }

  #release(known: Known): void {
    const { uid, namespace, name } = known;
    known.isReleased = true;
    const pod = this.#options.api.find(pods, { namespace, name });
    if (pod?.metadata.uid !== uid) return;
    const options = { gracePeriodSeconds: 0, preconditions: { uid } };
    this.#options.api.delete(pods, { namespace, name }, options);
  }

  #find({ uid, namespace, name }: Known): Stored | undefined {
    const pod = this.#options.api.find(pods, { namespace, name });
    return pod?.metadata.uid === uid ? pod : undefined;
  }

  /** Calls `act` after a delay, when the pod's node is reachable. */
  #onNode(known: Known, ms: number, act: () => void): void {
    this.#options.world.after(ms, () => {
      const waiting = this.#lost.get(known.node ?? '');
      if (waiting === undefined) act();
      else waiting.push(act);
    });
  }

  #report(known: Known, isReady: boolean = false): void {
    const { run } = known;
    if (run === null) return;
    const { endedMs, exitCode } = run;
    const at = timeText(this.#options.world.wallMs);
    this.#emit(known, (status) => {
      // A node repeats its report, as a kubelet does: an evicted pod has failed again after its node was Unknown.
      if (status.reason === 'Evicted') return { ...status, phase: 'Failed' };
      if (endedMs === null) {
        const ready = isReady || isReadyIn(status);
        const running = { startedAt: at };
        const conditions = [
          { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: at },
        ];
        return this.#with(known, { ...status, phase: 'Running', conditions }, { running });
      }
      const sinceMs = this.#options.world.elapsedMs - endedMs;
      const finishedAt = timeText(this.#options.world.wallMs - sinceMs);
      const code = exitCode ?? 1;
      const reason = code === 0 ? 'Completed' : 'Error';
      const terminated = { exitCode: code, reason, finishedAt };
      const ended = code === 0 ? 'Succeeded' : 'Failed';
      const phase = hasLiveSidecar(known) ? 'Running' : ended;
      const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime: at }];
      return this.#with(known, { ...status, phase, conditions }, { terminated });
    });
  }

  #with(known: Known, status: PodStatus, state: ContainerState): PodStatus {
    const ready = state.running !== undefined && isReadyIn(status);
    const each = { image: 'sim', imageID: 'sim', restartCount: 0, ready };
    const own = { ...each, name: known.container, state };
    if (!known.hasSidecar || state.waiting !== undefined) {
      return { ...status, containerStatuses: [own] };
    }
    const sidecar = hasLiveSidecar(known) ? { running: {} } : { terminated: { exitCode: 0 } };
    const other = { ...each, name: SIDECAR, state: sidecar };
    return { ...status, containerStatuses: [other, own] };
  }

  #emit(known: Known, change: (status: PodStatus) => PodStatus): void {
    const pod = this.#find(known);
    if (pod === undefined) return;
    const status = change((pod.status ?? {}) as PodStatus);
    this.#options.api.replace(pods, { ...pod, status } as unknown as Stored, 'status');
  }
}

/** True if the pod has a sidecar, which runs until the pod is stopped. */
function hasLiveSidecar({ hasSidecar, isStopping }: Known): boolean {
  return hasSidecar && !isStopping;
}

function isReadyIn({ conditions = [] }: PodStatus): boolean {
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}
