import type { ContainerState, ContainerStatus } from 'kubernetes-types/core/v1.js';

import { exitCodeOf } from '../../model/exit-code.ts';
import type { ContainerFacts } from './facts.ts';
import { endOf, type Run } from './run.ts';
import { toTime } from './status-time.ts';

export interface StatusOfContainer {
  readonly facts: ContainerFacts;
  readonly current: Run | null;
  readonly last: Run | null;
  /** It has ended, and waits for its next run. */
  readonly restarts: boolean;
  /** The scheme of its id: "process", "runc". */
  readonly runtime: string;
  readonly imageId: string;
}

export function containerStatus(telling: StatusOfContainer): ContainerStatus {
  const { facts, current, runtime, imageId } = telling;
  const { spec, ready, started, restartCount } = facts;
  const container = current?.container ?? null;
  return {
    name: spec.name,
    state: stateOf(telling),
    lastState: lastStateOf(telling),
    ready:
      facts.role === 'init'
        ? facts.state.kind === 'ended' && facts.state.end.exitCode === 0
        : ready,
    restartCount,
    image: spec.image ?? '',
    imageID: imageId,
    ...(container === null ? {} : { containerID: `${runtime}://${container.id}` }),
    started,
  };
}

function stateOf(telling: StatusOfContainer): ContainerState {
  const { facts, current, runtime } = telling;
  const { state } = facts;
  switch (state.kind) {
    case 'absent':
      return { waiting: { reason: 'PodInitializing' } };
    case 'starting':
      return { waiting: { reason: 'ContainerCreating' } };
    case 'unstartable':
      return { waiting: { reason: state.reason, message: state.message } };
    case 'running':
    case 'stopping':
      if (state.startedAtMs === null) return { waiting: { reason: 'ContainerCreating' } };
      return { running: { startedAt: toTime(state.startedAtMs) } };
    case 'ended':
      if (telling.restarts)
        return {
          waiting: {
            reason: 'CrashLoopBackOff',
            message: `back-off ${state.pauseSeconds}s restarting failed container`,
          },
        };
      return current === null ? {} : terminated(current, runtime);
    default:
      return state satisfies never;
  }
}

/** From its end for good on, and while it runs, it is its state; before its next run it is the last one. */
function lastStateOf(telling: StatusOfContainer): ContainerState {
  const { facts, current, last, runtime, restarts } = telling;
  const waits = restarts || facts.state.kind !== 'ended';
  const run = waits && current !== null && endOf(current) !== null ? current : last;
  return run === null ? {} : terminated(run, runtime);
}

/** What is told of an end that nobody saw: that of a kill. */
const UNSEEN = 137;

function terminated(run: Run, runtime: string): ContainerState {
  const end = endOf(run);
  if (end === null) return {};
  const { container } = run;
  return {
    terminated: {
      exitCode: exitCodeOf(end) ?? UNSEEN,
      reason: end.reason,
      ...(end.message === undefined ? {} : { message: end.message }),
      startedAt: toTime(run.startedAtMs),
      finishedAt: toTime(end.endedAtMs),
      ...(container === null ? {} : { containerID: `${runtime}://${container.id}` }),
    },
  };
}
