/**
 * The life of one pod on this node: the main file of the pod lifecycle. Every change (a new spec, a container's end, a
 * probe result, a time that is reached) triggers one reconcile: collect the facts, decide, act on containers, report
 * the status. Reconciles never overlap, and keep no state except the facts.
 */
import type { Pod, PodStatus } from 'kubernetes-types/core/v1.js';

import type { RunIdentity } from '../../platform/container-labels.ts';
import type { RunningContainer } from '../../platform/container-runtime.ts';
import { statusBefore } from './conditions.ts';
import { ContainerWorker } from './container-worker.ts';
import { containersOf } from './containers.ts';
import { decidePod, type PodAction, type PodDecision, runsAgain } from './decide.ts';
import type { Termination, PodFacts } from './facts.ts';
import type { PodHost } from './pod-host.ts';
import { rememberedRun } from './remembered-run.ts';
import {
  asksForResize,
  deferredMessage,
  resizeEvent,
  type ResizeState,
  resizeState,
} from './resize.ts';
import type { Run } from './run.ts';
import { podStatus } from './status.ts';

export interface PodDriving {
  readonly pod: Pod;
  readonly host: PodHost;
  readonly hostIp: string;
  /** Containers of this pod that the runtime has from before a restart, unordered. */
  readonly found: readonly FoundContainer[];
  /** Stores this status in the API; called only if it has changed. */
  report(status: PodStatus): void;
}

export interface FoundContainer {
  readonly identity: RunIdentity;
  readonly container: RunningContainer;
}

export class PodWorker {
  readonly #driving: PodDriving;
  readonly #workers = new Map<string, ContainerWorker>();
  readonly #over: Promise<void>;
  #markOver: () => void = () => {};
  #pod: Pod;
  #reported: PodStatus | null = null;
  #callOff: () => void = () => {};
  #passDue = false;
  #termination: Termination | null = null;
  #resize: ResizeState | null = null;
  #released = false;
  /** Seconds; the shortest grace period of a deletion so far, which also limits other stops; null: no deletion. */
  #deletionGrace: number | null;

  constructor(driving: PodDriving) {
    this.#driving = driving;
    this.#pod = driving.pod;
    this.#deletionGrace = driving.pod.metadata?.deletionGracePeriodSeconds ?? null;
    this.#over = new Promise((resolve) => {
      this.#markOver = resolve;
    });
    for (const { role, spec } of containersOf(driving.pod)) {
      const worker = new ContainerWorker({
        role,
        spec,
        pod: () => this.#pod,
        host: driving.host,
        onChange: () => {
          this.#passSoon();
        },
      });
      this.#workers.set(spec.name, worker);
      worker.adopt(runsOf(spec.name, driving));
    }
    this.#passSoon();
  }

  /** True: the pod had ended before this program began, so nothing is started or reported again. */
  get #finished(): boolean {
    return ['Succeeded', 'Failed'].includes(this.#driving.pod.status?.phase ?? '');
  }

  /** Resolves once no container runs and none will: the pod is Succeeded or Failed, or may be removed. */
  get over(): Promise<void> {
    return this.#over;
  }

  /** Sets the pod's new spec. Only images and resources may change. */
  update(pod: Pod): void {
    const before = this.#pod;
    this.#pod = pod;
    if (asksForResize(pod, before)) this.#beginResize();
    const { deletionGracePeriodSeconds: grace } = pod.metadata ?? {};
    if (grace !== undefined && grace < (this.#deletionGrace ?? Infinity)) {
      this.#deletionGrace = grace;
      for (const worker of this.#workers.values()) {
        worker.shorten({ kind: 'deletion', graceSeconds: grace });
      }
    }
    this.#passSoon();
  }

  #beginResize(): void {
    for (const worker of this.#workers.values()) worker.resize();
    const state = resizeState(this.#gather());
    this.#driving.host.event(
      state?.kind === 'Deferred'
        ? { type: 'Warning', reason: 'ResizeDeferred', message: deferredMessage(state) }
        : resizeEvent('Started', this.#pod),
    );
    // null: all containers already have these resources, which the next reconcile reports.
    this.#resize = state ?? { kind: 'InProgress', container: '' };
  }

  /** Stops watching the pod. Its containers continue to run while this program exits. */
  release(): void {
    this.#released = true;
    this.#callOff();
    for (const worker of this.#workers.values()) worker.release();
  }

  /** Removes the pod's records, logs and directories from the runtime. Call it only after `over`. */
  async remove(): Promise<void> {
    for (const worker of this.#workers.values()) {
      const { current, last } = worker.runs;
      await current?.container?.remove();
      await last?.container?.remove();
    }
  }

  /** The newest run of a container and the run before it, for logs, exec and attach. */
  runs(container: string): ContainerWorker['runs'] | undefined {
    return this.#workers.get(container)?.runs;
  }

  /** Requests a reconcile. All changes within one turn of the event loop share it. */
  #passSoon(): void {
    if (this.#passDue || this.#released) return;
    this.#passDue = true;
    this.#driving.host.platform.timers.after(0, () => {
      this.#passDue = false;
      if (!this.#released) this.#pass();
    });
  }

  #pass(): void {
    if (this.#finished) {
      this.#markOver();
      return;
    }
    const facts = this.#gather();
    const decision = decidePod(facts);
    if (this.#termination === null) this.#reportWhy(decision.termination);
    this.#termination = decision.termination;
    this.#seeResize(facts);
    for (const action of decision.actions) this.#act(action);
    this.#report(facts, decision);
    this.#wakeAt(decision.wakeAtMs, facts.nowMs);
    if (decision.over) this.#markOver();
  }

  /** Emits an event for a deadline only; the container statuses show the other reasons. */
  #reportWhy(termination: Termination | null): void {
    if (termination?.reason !== 'DeadlineExceeded') return;
    this.#driving.host.event({ type: 'Normal', ...termination });
  }

  #seeResize(facts: PodFacts): void {
    const before = this.#resize;
    this.#resize = this.#termination === null ? resizeState(facts) : null;
    if (before === null || this.#resize !== null || this.#termination !== null) return;
    this.#driving.host.event(resizeEvent('Completed', this.#pod));
  }

  #gather(): PodFacts {
    const nowMs = this.#driving.host.platform.clock.nowMs();
    const startTime = this.#driving.pod.status?.startTime;
    return {
      pod: this.#pod,
      containers: [...this.#workers.values()].map((worker) => worker.facts),
      nowMs,
      podStartedAtMs: startTime === undefined ? this.#startedAtMs(nowMs) : Date.parse(startTime),
      termination: this.#termination,
    };
  }

  #firstSeenMs: number | null = null;

  #startedAtMs(nowMs: number): number {
    this.#firstSeenMs ??= nowMs;
    return this.#firstSeenMs;
  }

  #act(action: PodAction): void {
    const worker = this.#workers.get(action.container);
    switch (action.do) {
      case 'start':
        worker?.start();
        break;
      case 'reportBackOff':
        worker?.reportBackOff();
        break;
      case 'stop':
        worker?.stop(action);
        break;
      case 'takeTurn':
        worker?.takeTurn();
        break;
      default:
        action satisfies never;
    }
  }

  #report(facts: PodFacts, decision: PodDecision): void {
    const { host, hostIp } = this.#driving;
    const containers = [...this.#workers.values()].map((worker) => ({
      facts: worker.facts,
      ...worker.runs,
      runtime: host.runtime.name,
      restarts: decision.termination === null && runsAgain(worker.facts, facts.pod),
      imageId: worker.runs.current?.container?.imageId ?? '',
    }));
    const before = statusBefore(this.#pod.status ?? {}, this.#reported);
    const now = { ...facts, containers: containers.map((container) => container.facts) };
    const status = podStatus({
      facts: now,
      decision,
      containers,
      resize: this.#resize,
      podIp: host.podIp,
      hostIp,
      before,
    });
    if (JSON.stringify(status) === JSON.stringify(this.#reported)) return;
    this.#reported = status;
    this.#driving.report(status);
  }

  #wakeAt(atMs: number | null, nowMs: number): void {
    this.#callOff();
    if (atMs === null) return;
    this.#callOff = this.#driving.host.platform.timers.after(Math.max(0, atMs - nowMs), () => {
      this.#passSoon();
    });
  }
}

function runsOf(name: string, { found, pod, host }: PodDriving): readonly Run[] {
  const runs = found
    .filter(({ identity }) => identity.container === name)
    .toSorted((one, other) => one.identity.restartCount - other.identity.restartCount)
    .map(({ identity, container }) => ({
      identity,
      container,
      failure: null,
      startedAtMs: container.startedAtMs,
    }));
  const nowMs = host.platform.clock.nowMs();
  const remembered = rememberedRun(pod, name, { newest: runs.at(-1) ?? null, nowMs });
  return remembered === null ? runs : [...runs, remembered];
}
