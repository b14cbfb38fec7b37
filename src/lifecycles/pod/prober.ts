/**
 * Runs the probes of one running container: first only the startup probe, then liveness and readiness. Each probe is
 * one attempt of a handler. Attempts of a probe never overlap, and are not recorded.
 */
import type { Probe } from 'kubernetes-types/core/v1.js';

import type { RunHandler } from '../../handlers/act.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Unhealthy } from './facts.ts';
import {
  probeHandler,
  type ProbeFacts,
  addResult,
  freshProbe,
  type ProbeKind,
  type ProbeState,
  type ReportedHealth,
} from './probe.ts';

export interface Probing extends ProbeFacts {
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  readonly act: RunHandler;
  readonly startedAtMs: number;
  /** The health of a container that had started before this program did; null: not known. */
  readonly reported: ReportedHealth | null;
  /** Called when `started`, `ready` or `unhealthy` has changed. */
  onChange(): void;
  /** Called when a probe has failed, with the reason for the Event. */
  onFailure(kind: ProbeKind, message: string): void;
}

/** Milliseconds; the shortest pause between two probes, even if the last one was late. */
const MIN_PAUSE_MS = 100;

/** The state of a probe that had passed before this program started. Its results are counted from 0 again. */
const PASSING: ProbeState = { ...freshProbe, verdict: 'passing' };

export class Prober {
  readonly #probing: Probing;
  readonly #ending = new AbortController();
  readonly #states = new Map<ProbeKind, ProbeState>();
  #unhealthy: Unhealthy | null = null;
  #callOffs = new Map<ProbeKind, () => void>();

  constructor(probing: Probing) {
    this.#probing = probing;
    if (probing.reported !== null) this.#states.set('startup', PASSING);
    if (probing.reported?.ready === true) this.#states.set('readiness', PASSING);
    if (this.#verdict('startup') === 'passing' || this.#probe('startup') === undefined)
      this.#scheduleOthers();
    else this.#schedule('startup', this.#firstDelayMs('startup'));
  }

  get started(): boolean {
    return this.#probe('startup') === undefined || this.#verdict('startup') === 'passing';
  }

  get ready(): boolean {
    if (!this.started) return false;
    return this.#probe('readiness') === undefined || this.#verdict('readiness') === 'passing';
  }

  get unhealthy(): Unhealthy | null {
    return this.#unhealthy;
  }

  close(): void {
    this.#ending.abort();
    for (const callOff of this.#callOffs.values()) callOff();
  }

  #probe(kind: ProbeKind): Probe | undefined {
    return this.#probing.container[`${kind}Probe`];
  }

  #verdict(kind: ProbeKind): ProbeState['verdict'] {
    return (this.#states.get(kind) ?? freshProbe).verdict;
  }

  #firstDelayMs(kind: ProbeKind): number {
    const { startedAtMs, platform } = this.#probing;
    const delayMs = (this.#probe(kind)?.initialDelaySeconds ?? 0) * 1_000;
    // Limited to the delay, because the clock may have been set back since the start.
    return Math.min(delayMs, Math.max(0, startedAtMs + delayMs - platform.clock.nowMs()));
  }

  #scheduleOthers(): void {
    for (const kind of ['liveness', 'readiness'] as const) {
      if (this.#probe(kind) !== undefined) this.#schedule(kind, this.#firstDelayMs(kind));
    }
  }

  #schedule(kind: ProbeKind, delayMs: number): void {
    if (this.#ending.signal.aborted) return;
    const callOff = this.#probing.platform.timers.after(delayMs, () => {
      void this.#round(kind);
    });
    this.#callOffs.set(kind, callOff);
  }

  async #round(kind: ProbeKind): Promise<void> {
    const probe = this.#probe(kind);
    if (probe === undefined) return;
    const { clock } = this.#probing.platform;
    const beganMs = clock.monotonicMs();
    const failure = await this.#attempt(kind, probe);
    if (this.#ending.signal.aborted) return;
    this.#take(kind, probe, failure);
    if (kind === 'startup' && this.started) {
      this.#scheduleOthers();
      return;
    }
    const periodMs = (probe.periodSeconds ?? 10) * 1_000;
    const spentMs = clock.monotonicMs() - beganMs;
    this.#schedule(kind, Math.max(MIN_PAUSE_MS, periodMs - spentMs));
  }

  /** Runs the probe once. null: it succeeded; otherwise the reason for the failure. */
  async #attempt(kind: ProbeKind, probe: Probe): Promise<string | null> {
    const handler = probeHandler(probe, this.#probing);
    if (typeof handler === 'string') return handler;
    const result = await this.#probing.act(handler, {
      runId: '',
      step: kind,
      attempt: 1,
      timeoutMs: (probe.timeoutSeconds ?? 1) * 1_000,
      signal: this.#ending.signal,
    });
    return result.outcome === 'Succeeded' ? null : result.reason;
  }

  #take(kind: ProbeKind, probe: Probe, failure: string | null): void {
    const before = { started: this.started, ready: this.ready };
    const state = addResult(this.#states.get(kind) ?? freshProbe, failure === null, probe);
    this.#states.set(kind, state);
    if (failure !== null) this.#probing.onFailure(kind, failure);
    if (failure !== null && kind !== 'readiness' && state.verdict === 'failing') {
      const graceSeconds = probe.terminationGracePeriodSeconds ?? null;
      this.#unhealthy = { probe: kind, graceSeconds };
      this.close();
      this.#probing.onChange();
    } else if (before.started !== this.started || before.ready !== this.ready) {
      this.#probing.onChange();
    }
  }
}
