/**
 * One container of one pod, through all of its runs: carries out decisions, and collects the facts for the next one.
 *
 *  POD-W1 At most one start or stop is in progress; a stop requested during a start cancels the start.
 *  POD-W2 The last ended run is kept with its log; older runs are removed.
 */
import type { Container, Pod } from 'kubernetes-types/core/v1.js';

import { isTerminating } from '../../controller/finalizers.ts';
import { failedRun, inTimeOfDay, lifeAfter, nextIdentity, stoppedRun, unstartable } from './run.ts';
import type { Run } from './run.ts';
import { containerId, type RunIdentity, toLabels } from '../../platform/container-labels.ts';
import type { RunningContainer, StartError } from '../../platform/container-runtime.ts';
import { containersOf, type PodContainer } from './containers.ts';
import type { StopAction } from './decide.ts';
import type { ContainerFacts, ContainerLife } from './facts.ts';
import { type StopCause, stopEndMs, GraceClock } from './grace.ts';
import { podHook, type PodPoint } from './hook.ts';
import { type Ran, ranAs, ranBefore, resizedAs } from './in-place.ts';
import { backOffMessage, killingMessage } from './kubelet-words.ts';
import { podAct } from './pod-act.ts';
import type { PodEvent, PodHost } from './pod-host.ts';
import { Prober } from './prober.ts';
import {
  finishStart,
  startContainer,
  type StartOutcome,
  type Starting,
} from './start-container.ts';
import { stopContainer } from './stop-container.ts';
import { type ReportedHealth, reportedHealth } from './probe.ts';

export interface WorkerOptions extends PodContainer {
  readonly pod: () => Pod;
  readonly host: PodHost;
  /** Called when the facts of this container have changed. */
  readonly onChange: () => void;
}

export class ContainerWorker {
  readonly #options: WorkerOptions;
  /** The state of the container. Its times in the future, such as `restartAtMs`, are on the monotonic clock. */
  #life: ContainerLife = { kind: 'absent' };
  #run: Run | null = null;
  #ran: Ran | null = null;
  #last: Run | null = null;
  /** Monotonic milliseconds at which this program saw the end of the current run; null: it did not see an end. */
  #endSeenMs: number | null = null;
  #prober: Prober | null = null;
  #grace: GraceClock | null = null;
  /** Aborts when the stop in progress may send TERM. */
  #turn: AbortController = new AbortController();
  #starting: AbortController | null = null;
  #busy: Promise<void> = Promise.resolve();

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** The current spec of the container: its image and resources may change. */
  get #spec(): Container {
    const { pod, spec } = this.#options;
    return containersOf(pod()).find((one) => one.spec.name === spec.name)?.spec ?? spec;
  }

  get facts(): ContainerFacts {
    const running = this.#life.kind === 'running' ? this.#prober : null;
    return {
      role: this.#options.role,
      spec: this.#spec,
      state: inTimeOfDay(this.#life, this.#options.host.platform.clock),
      restartCount: this.#run?.identity.restartCount ?? 0,
      hasRun: this.#run !== null,
      started: running?.started ?? false,
      ready: running?.ready ?? false,
      unhealthy: this.#prober?.unhealthy ?? null,
      ran: this.#ran,
    };
  }

  /** The current or latest run, and the run before it. */
  get runs(): { readonly current: Run | null; readonly last: Run | null } {
    return { current: this.#run, last: this.#last };
  }

  /** Adopts the runs that the runtime still has after a restart of the node, oldest first. */
  adopt(runs: readonly Run[]): void {
    for (const run of runs) this.#take(run);
    const run = this.#run;
    if (run === null) return;
    const { container } = run;
    if (container === null || container.end !== null) {
      this.#ended(run);
      return;
    }
    void this.#seeEnd(container);
    const pod = this.#options.pod();
    this.#ran = ranBefore(pod.status ?? {}, container.id) ?? ranAs(this.#spec);
    this.resize();
    const reported = reportedHealth(pod, container);
    if (reported === null) this.#busy = this.#proceed(run, container);
    else this.#running(run, reported);
  }

  start(): void {
    const { pod, spec } = this.#options;
    const identity = nextIdentity(pod(), spec.name, this.#run);
    this.#starting = new AbortController();
    this.#set({ kind: 'starting', startedAtMs: null });
    this.#busy = this.#start(identity, this.#starting);
  }

  stop({ cause, awaitsTurn }: Pick<StopAction, 'cause' | 'awaitsTurn'>): void {
    this.#starting?.abort();
    if (this.#grace !== null) return;
    const { pod, host } = this.#options;
    const grace = new GraceClock(stopEndMs(cause, pod(), host.platform.clock));
    this.#grace = grace;
    this.#turn = new AbortController();
    if (!awaitsTurn) this.takeTurn();
    this.#prober?.close();
    if (this.#run !== null)
      this.#run = stoppedRun(this.#run, { ...this.#options, cause, pod: pod() });
    const { state } = this.facts;
    if (state.kind === 'running' || state.kind === 'starting') {
      this.#set({ kind: 'stopping', startedAtMs: state.startedAtMs });
    }
    const message = killingMessage(cause, this.#options, pod());
    this.#busy = this.#busy.then(() => this.#stop(grace, message));
  }

  /** Applies new resources, unless they take effect only at the container's next start. */
  resize(): void {
    const { setsLimits } = this.#options.host.runtime;
    if (this.#ran !== null) this.#ran = resizedAs(this.facts, this.#ran, setsLimits);
  }

  /** Lets the stop in progress send TERM: the containers for which it waited have ended (POD-P2). */
  takeTurn(): void {
    this.#turn.abort();
  }

  /** Shortens a stop in progress: the pod was deleted, or deleted again with a shorter grace period (POD-G4). */
  shorten(cause: StopCause): void {
    const { pod, host } = this.#options;
    this.#grace?.shortenTo(stopEndMs(cause, pod(), host.platform.clock));
  }

  /** Emits the BackOff event, once for each pause. */
  reportBackOff(): void {
    const { pod, spec } = this.#options;
    if (this.#life.kind !== 'ended') return;
    this.#report({ type: 'Warning', reason: 'BackOff', message: backOffMessage(spec.name, pod()) });
    this.#life = { ...this.#life, backOffReported: true };
  }

  /** Stops watching the container without stopping it. */
  release(): void {
    this.#prober?.close();
  }

  async #start(identity: RunIdentity, starting: AbortController): Promise<void> {
    await this.#afterStart(identity, await startContainer(this.#plan(identity, starting)));
  }

  /** Continues the start of a running container. Its postStart hook runs now, unless its start is recorded. */
  async #proceed({ identity }: Run, container: RunningContainer): Promise<void> {
    this.#starting = new AbortController();
    const plan = this.#plan(identity, this.#starting);
    await this.#afterStart(identity, await finishStart(plan, container));
  }

  #plan(identity: RunIdentity, starting: AbortController): Starting {
    const { host, pod } = this.#options;
    const container = this.#spec;
    return {
      host,
      pod: pod(),
      container,
      id: containerId(identity),
      labels: toLabels(identity),
      postStart: () => {
        // The next reconcile stops the container, and no hook may begin before that (POD-T3).
        if (isTerminating(pod())) starting.abort();
        return this.#hook('postStart');
      },
      signal: starting.signal,
      onStarted: (started) => {
        this.#ran = ranAs(container);
        const { startedAtMs } = started;
        this.#take({ identity, container: started, failure: null, startedAtMs });
        void this.#seeEnd(started);
      },
    };
  }

  /** Ends the run when its container has ended, unless a start or stop in progress will end the run. */
  async #seeEnd(container: RunningContainer): Promise<void> {
    await container.ended;
    if (this.#run?.container !== container) return;
    this.#endSeenMs = this.#options.host.platform.clock.monotonicMs();
    if (this.#starting === null && this.#grace === null) this.#ended(this.#run);
  }

  async #afterStart(identity: RunIdentity, outcome: StartOutcome): Promise<void> {
    this.#starting = null;
    if (outcome.kind === 'failed') this.#failed(identity, outcome.error);
    const run = this.#run;
    if (run === null) return;
    if (outcome.kind === 'postStartFailed') {
      this.stop({ cause: { kind: 'postStart' }, awaitsTurn: false });
    }
    if (outcome.kind === 'running') this.#running(run, null);
    // If a stop is in progress, that stop ends the run.
    if (outcome.kind === 'cancelled' && this.#grace === null) this.#ended(run);
  }

  #running(run: Run, reported: ReportedHealth | null): void {
    const { host, spec } = this.#options;
    const { container } = run;
    if (container === null || this.#grace !== null) return;
    if (container.end !== null) {
      this.#ended(run);
      return;
    }
    this.#prober = new Prober({
      platform: host.platform,
      act: podAct({ platform: host.platform, container }),
      container: spec,
      podIp: host.podIp,
      startedAtMs: container.startedAtMs,
      reported,
      onChange: this.#options.onChange,
      onFailure: (kind, why) => {
        const message = `${kind[0]?.toUpperCase()}${kind.slice(1)} probe failed: ${why}`;
        this.#report({ type: 'Warning', reason: 'Unhealthy', message });
      },
    });
    this.#set({ kind: 'running', startedAtMs: container.startedAtMs });
  }

  async #stop(grace: GraceClock, message: string): Promise<void> {
    const { host, spec } = this.#options;
    const run = this.#run;
    const container = run?.container ?? null;
    if (container !== null && container.end === null) {
      this.#report({ type: 'Normal', reason: 'Killing', message });
      const stop = { host, container, name: spec.name, grace, turn: this.#turn.signal };
      await stopContainer({ ...stop, preStop: this.#hook('preStop') });
    }
    this.#grace = null;
    if (run === null) this.#set({ kind: 'absent' });
    else this.#ended(run);
  }

  #ended(run: Run): void {
    this.#prober?.close();
    this.#prober = null;
    const life = lifeAfter(run, this.#options.host.platform.clock, this.#endSeenMs);
    if (life !== null) this.#set(life);
  }

  #failed(identity: RunIdentity, error: StartError): void {
    const { clock } = this.#options.host.platform;
    const run = failedRun(identity, error, clock);
    if (run === null) {
      this.#set(unstartable(error, clock));
      return;
    }
    this.#take(run);
    this.#ended(run);
  }

  #take(run: Run): void {
    const older = this.#last;
    this.#last = this.#run;
    this.#run = run;
    this.#endSeenMs = null;
    const kind = this.#grace === null ? 'starting' : 'stopping';
    this.#set({ kind, startedAtMs: run.startedAtMs });
    // Removes the older run's log and record too. If this fails, the next start of the node retries the removal.
    older?.container?.remove().catch(() => {});
  }

  #hook(point: PodPoint): ReturnType<typeof podHook> {
    const { pod, spec: container, host } = this.#options;
    const { podIp, sleepEnabled } = host;
    return podHook({ pod: pod(), container, point, podIp, sleepEnabled });
  }

  #report(event: PodEvent): void {
    const { host, spec } = this.#options;
    host.event({ ...event, container: spec.name });
  }

  #set(life: ContainerLife): void {
    this.#life = life;
    this.#options.onChange();
  }
}
