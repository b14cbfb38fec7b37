/**
 * Decides the next actions for a pod. Pure: the same facts give the same decision, with its reason.
 *
 *  POD-P1 An init container starts only after those before it have succeeded or, for sidecars, have started; the main
 *     containers start after the last of them.
 *  POD-P2 When a pod terminates, the stop of every container begins at once, with its preStop hook. A sidecar gets TERM
 *     after the main containers and the sidecars started after it have ended, or when its grace period is over
 *     (POD-K32). No container is started any more.
 *  POD-P3 A running container is stopped at most once per run. An ended container is started again only if the restart
 *     policy says so, and only after its back-off. One that was stopped for a restart starts under every policy.
 *  POD-P4 A pod terminates once none of its main containers will run again, even if sidecars still run. A terminating
 *     pod stays terminating, even if the clock is set back to before its deadline.
 */
import type { Pod } from 'kubernetes-types/core/v1.js';

import type { StopCause } from './grace.ts';
import { restarts } from './containers.ts';
import type { ContainerFacts, ContainerLife, Termination, PodFacts } from './facts.ts';
import { whyRestart } from './in-place.ts';

export type PodAction =
  | { readonly do: 'start'; readonly container: string }
  /** The container waits for its next run, and the event of this pause was not emitted yet. */
  | { readonly do: 'reportBackOff'; readonly container: string }
  | StopAction
  | { readonly do: 'takeTurn'; readonly container: string };

/** Stops a container, and cancels its start in progress: no process and no postStart hook is started any more. */
export interface StopAction {
  readonly do: 'stop';
  readonly container: string;
  readonly cause: StopCause;
  /** True: TERM waits for `takeTurn`, or for the end of the grace period. */
  readonly awaitsTurn: boolean;
}

export interface PodDecision {
  readonly actions: readonly PodAction[];
  /** Wall clock, milliseconds: the next decision if nothing happens before; null: no time to wait for. */
  readonly wakeAtMs: number | null;
  /** True: no container runs, and none will. */
  readonly over: boolean;
  /** Why the pod terminates; null: it does not terminate. 'DeadlineExceeded' makes its phase Failed. */
  readonly termination: Termination | null;
}

export function decidePod(facts: PodFacts): PodDecision {
  const termination = terminationOf(facts);
  if (termination !== null) return takeDown(facts, termination);
  const actions: PodAction[] = [];
  const waits: number[] = [];
  const deadline = deadlineMs(facts);
  if (deadline !== null) waits.push(deadline);
  for (const container of startable(facts)) {
    const next = nextFor(container, facts);
    if (next.action !== null) actions.push(next.action);
    if (next.untilMs !== null) waits.push(next.untilMs);
  }
  return {
    actions,
    wakeAtMs: waits.length === 0 ? null : Math.min(...waits),
    over: false,
    termination,
  };
}

/** Why the pod terminates. The first reason is kept. null: the pod does not terminate. */
function terminationOf(facts: PodFacts): Termination | null {
  if (facts.termination !== null) return facts.termination;
  if (facts.pod.metadata?.deletionTimestamp === undefined) return whyItEnds(facts);
  return { reason: 'Deleted', message: 'the pod is deleted' };
}

function whyItEnds(facts: PodFacts): Termination | null {
  const { containers, nowMs } = facts;
  const deadline = deadlineMs(facts);
  if (deadline !== null && nowMs >= deadline) {
    const message = 'Pod was active on the node longer than the specified deadline';
    return { reason: 'DeadlineExceeded', message };
  }
  const failed = containers.find(
    (container) =>
      isFinal(container, facts) && container.role === 'init' && exitCodeOf(container) !== 0,
  );
  if (failed !== undefined) {
    return { reason: 'InitFailed', message: `init container ${failed.spec.name} failed` };
  }
  const mains = containers.filter(({ role }) => role === 'main');
  if (mains.every((container) => isFinal(container, facts) || isAtItsEnd(container, facts))) {
    return { reason: 'Completed', message: 'all of its containers have exited' };
  }
  return null;
}

/** True: a probe failed, and the container will not run again. If so for all main containers, the pod ends. */
function isAtItsEnd(container: ContainerFacts, { pod }: PodFacts): boolean {
  return isAlive(container) && container.unhealthy !== null && !restarts(container, pod, null);
}

/** True: the container has ended, and will not run again. */
function isFinal(container: ContainerFacts, { pod }: PodFacts): boolean {
  return container.state.kind === 'ended' && !runsAgain(container, pod);
}

/** True: the container has ended, and will run again. */
export function runsAgain(container: ContainerFacts, pod: Pod): boolean {
  const { state } = container;
  if (state.kind !== 'ended') return false;
  return state.again || restarts(container, pod, state.end.exitCode);
}

function exitCodeOf({ state }: ContainerFacts): number | null {
  return state.kind === 'ended' ? state.end.exitCode : null;
}

function deadlineMs({ pod, podStartedAtMs }: PodFacts): number | null {
  const seconds = pod.spec?.activeDeadlineSeconds;
  return seconds === undefined ? null : podStartedAtMs + seconds * 1_000;
}

function takeDown(facts: PodFacts, termination: Termination): PodDecision {
  const alive = facts.containers.filter(isAlive);
  const cause = causeOf(facts);
  const actions = alive.flatMap(({ role, spec, state }, place): readonly PodAction[] => {
    const container = spec.name;
    const awaitsTurn =
      role === 'sidecar' && alive.slice(place + 1).some((later) => later.role !== 'init');
    if (state.kind !== 'stopping') return [{ do: 'stop', container, cause, awaitsTurn }];
    return role === 'sidecar' && !awaitsTurn ? [{ do: 'takeTurn', container }] : [];
  });
  const calledOff = facts.containers
    .filter(waitsForNextRun)
    .map(({ spec }): PodAction => ({ do: 'stop', container: spec.name, cause, awaitsTurn: false }));
  const over = alive.length === 0 && calledOff.length === 0;
  return { actions: [...actions, ...calledOff], wakeAtMs: null, over, termination };
}

/** True: the container ended, and its next start failed. Once that start is cancelled, it counts as ended again. */
function waitsForNextRun({ state, hasRun }: ContainerFacts): boolean {
  return hasRun && state.kind === 'unstartable';
}

/** The cause of the stops. A deletion has its own grace period, even if the pod was already terminating. */
function causeOf({ pod }: PodFacts): StopCause {
  const { deletionTimestamp, deletionGracePeriodSeconds: graceSeconds = 0 } = pod.metadata ?? {};
  if (deletionTimestamp === undefined) return { kind: 'podOver' };
  return { kind: 'deletion', graceSeconds };
}

export function isAlive({ state }: ContainerFacts): boolean {
  return state.kind === 'starting' || state.kind === 'running' || state.kind === 'stopping';
}

/** The containers that may run now (POD-P1). Once a main container has begun, no init container runs any more. */
function startable(facts: PodFacts): readonly ContainerFacts[] {
  const { containers } = facts;
  if (initialized(facts)) return containers.filter(({ role }) => role !== 'init');
  const open = containers.findIndex((_, place) => !letsNextBegin(containers, place));
  return containers
    .slice(0, open + 1)
    .filter(({ role }, place) => role === 'sidecar' || !letsNextBegin(containers, place));
}

/** True: the main containers may run, because the last init container has succeeded, now or earlier. */
export function initialized({ containers }: Pick<PodFacts, 'containers'>): boolean {
  const mains = containers.filter(({ role }) => role === 'main');
  if (mains.some(hasBegun)) return true;
  return containers.every(({ role }, place) => role === 'main' || letsNextBegin(containers, place));
}

/** True: the next container may begin. A sidecar that ends after the next container has begun blocks nothing. */
function letsNextBegin(containers: readonly ContainerFacts[], place: number): boolean {
  const container = containers[place];
  if (container === undefined) return false;
  const { role, state, started } = container;
  if (role === 'init') return state.kind === 'ended' && state.end.exitCode === 0;
  return role === 'sidecar' && (started || containers.slice(place + 1).some(hasBegun));
}

/** True: a process of the container exists, existed, or is being started. */
function hasBegun({ state, hasRun }: ContainerFacts): boolean {
  return hasRun || (state.kind !== 'absent' && state.kind !== 'unstartable');
}

interface Next {
  /** null: no action now. */
  readonly action: PodAction | null;
  /** Wall clock, milliseconds: the time to wait for; null: there is none. */
  readonly untilMs: number | null;
}

const NOTHING: Next = { action: null, untilMs: null };

function nextFor(container: ContainerFacts, facts: PodFacts): Next {
  const { spec, state } = container;
  switch (state.kind) {
    case 'absent':
      return startFrom(spec.name, facts.nowMs, facts);
    case 'unstartable':
      return startFrom(spec.name, state.retryAtMs, facts);
    case 'ended':
      return isFinal(container, facts) ? NOTHING : startAgain(spec.name, state, facts);
    case 'running':
      return restartInPlace(container) ?? stopUnhealthy(container);
    case 'starting':
    case 'stopping':
      return NOTHING;
    default:
      return state satisfies never;
  }
}

function startFrom(container: string, atMs: number, { nowMs }: PodFacts): Next {
  if (nowMs < atMs) return { action: null, untilMs: atMs };
  return { action: { do: 'start', container }, untilMs: null };
}

function startAgain(
  container: string,
  { pauseSeconds, restartAtMs, backOffReported }: Extract<ContainerLife, { kind: 'ended' }>,
  facts: PodFacts,
): Next {
  // The end of the run may be slightly later than `nowMs`, because the clock is read for each of them.
  if (pauseSeconds === 0) return startFrom(container, facts.nowMs, facts);
  const next = startFrom(container, restartAtMs, facts);
  if (next.action !== null || backOffReported) return next;
  return { ...next, action: { do: 'reportBackOff', container } };
}

function restartInPlace(container: ContainerFacts): Next | null {
  const { spec, ran } = container;
  const why = ran === null ? null : whyRestart(container, ran);
  if (why === null) return null;
  const cause = { kind: 'inPlace', why } as const;
  return {
    ...NOTHING,
    action: { do: 'stop', container: spec.name, cause, awaitsTurn: false },
  };
}

function stopUnhealthy({ spec, unhealthy }: ContainerFacts): Next {
  if (unhealthy === null) return NOTHING;
  const cause = { kind: 'probe', ...unhealthy } as const;
  return {
    ...NOTHING,
    action: { do: 'stop', container: spec.name, cause, awaitsTurn: false },
  };
}
