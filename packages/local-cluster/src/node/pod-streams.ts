/** Serves the API server's requests about a pod's containers: logs, exec, attach, ports. */
import type { ContainerState, ContainerStatus, Pod } from 'kubernetes-types/core/v1.js';

import { containerId } from '../../../../src/platform/container-labels.ts';
import type {
  ContainerRuntime,
  RunningContainer,
} from '../../../../src/platform/container-runtime.ts';
import type { FileTails } from '../../../../src/platform/file-tails.ts';
import type { Timers } from '../../../../src/platform/platform.ts';
import type { TcpConnecting } from '../../../../src/platform/tcp-listener.ts';
import type { ContainerRequest, LogRequest, PodStreams } from '../api/pod-streams.ts';
import { badRequest, internalError } from '../api/status.ts';
import { readLog } from './read-log.ts';

export interface StreamsOptions {
  readonly runtimes: ReadonlyMap<string, ContainerRuntime>;
  readonly tails: FileTails;
  readonly timers: Timers;
  readonly connecting: TcpConnecting;
}

export function podStreams(options: StreamsOptions): PodStreams {
  return {
    log: async (request) => {
      const container = request.previous
        ? previousRun(options, request)
        : (runOf(options, request) ?? previousRun(options, request));
      const { tails, timers } = options;
      const { follow, signal } = request;
      const finished = (): boolean => container.end !== null;
      return readLog({ tails, timers, path: container.logPath, follow, finished, signal }, request);
    },
    exec: async ({ argv, stdin, tty, signal, ...request }) =>
      livingRun(options, { ...request, signal }).exec({ argv, stdin, tty, signal }),
    attach: async (request) => livingRun(options, request).attach(),
    connect: async ({ pod, port, signal }) => {
      const host = typed(pod).status?.podIP;
      if (host === undefined) throw badRequest(`pod ${nameOf(pod)} has no address yet`);
      try {
        return await options.connecting.connect({ host, port }, signal);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw internalError(`error forwarding port ${port} to pod ${nameOf(pod)}: ${why}`);
      }
    },
  };
}

function livingRun(options: StreamsOptions, request: ContainerRequest): RunningContainer {
  const run = runOf(options, request);
  if (run !== undefined && run.end === null) return run;
  const id = statusOf(request)?.containerID ?? `"${request.container}"`;
  throw internalError(`container not running (${id})`);
}

function runOf(options: StreamsOptions, request: ContainerRequest): RunningContainer | undefined {
  return find(options, request, statusOf(request)?.restartCount ?? 0);
}

function previousRun(options: StreamsOptions, request: LogRequest): RunningContainer {
  const { restartCount = 0, state = {}, lastState = {} } = statusOf(request) ?? {};
  // While a container waits for its restart, the ended run still has the current restart count.
  const number = request.previous && state.waiting === undefined ? restartCount - 1 : restartCount;
  const run = number < 0 ? undefined : find(options, request, number);
  if (run !== undefined) return run;
  throw noLog(request, { ...lastState, ...state });
}

/** The error for a container without a log. A run that failed to start has only an error message. */
function noLog(
  { container, pod, previous }: LogRequest,
  { waiting, terminated }: ContainerState,
): Error {
  const which = `container "${container}" in pod "${nameOf(pod)}"`;
  if (previous) return badRequest(`previous terminated ${which} not found`);
  if (terminated !== undefined) {
    const { message } = terminated;
    return badRequest(`${which} is terminated${message === undefined ? '' : `: ${message}`}`);
  }
  return badRequest(`${which} is waiting to start: ${waiting?.reason ?? 'ContainerCreating'}`);
}

function find(
  { runtimes }: StreamsOptions,
  { pod, container }: ContainerRequest,
  restartCount: number,
): RunningContainer | undefined {
  const { metadata, spec } = typed(pod);
  const { uid = '', namespace = '', name = '' } = metadata ?? {};
  const id = containerId({
    podUid: uid,
    namespace,
    pod: name,
    container,
    restartCount,
    backoffSeconds: null,
  });
  return runtimes.get(spec?.runtimeClassName ?? '')?.get(id);
}

function statusOf({ pod, container }: ContainerRequest): ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [] } = typed(pod).status ?? {};
  return [...initContainerStatuses, ...containerStatuses].find(({ name }) => name === container);
}

function nameOf(pod: ContainerRequest['pod']): string {
  return typed(pod).metadata?.name ?? '';
}

/** The pod with its type: it was validated as a Pod before it was stored. */
function typed(pod: ContainerRequest['pod']): Pod {
  return pod;
}
