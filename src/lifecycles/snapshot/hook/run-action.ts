/** Runs one action at one target through its handler, and reports whether anything was started. Never rejects. */
import type { Pod } from 'kubernetes-types/core/v1.js';

import { type Act, type AttemptRequest, bareResult } from '../../../engine/act.ts';
import { makeAttempt } from '../../../engine/make-attempt.ts';
import { runExec } from '../../../handlers/exec.ts';
import { runHttpGet } from '../../../handlers/http-get.ts';
import { podNetwork } from '../../../handlers/pod-network.ts';
import { runTcpSocket } from '../../../handlers/act.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import type { Handler } from '../../../model/hook.ts';
import type { CancelSignal } from '../../../platform/platform.ts';
import type { ContainerAccess, SnapshotContext } from '../context.ts';
import { watchExec } from '../exec-start.ts';
import type { NotStarted, ResolvedAction } from '../kinds.ts';
import type { Order } from './decide.ts';
import { handlerOf } from './handler-of.ts';
import { noOtherHost } from '../../../handlers/allowed-hosts.ts';
import { maskSecretsOf } from './masked-result.ts';

export interface ActionWorld {
  readonly context: SnapshotContext;
  readonly namespace: string;
  readonly hookName: string;
  /** The pod at the time of the decision; undefined: not known. */
  readonly pod: Pod | undefined;
  readonly signal: CancelSignal;
}

export interface Acted {
  readonly result: AttemptResult;
  /** Why the action was certainly not started; null: it was started, or that is not known. */
  readonly notStarted: NotStarted | null;
}

export async function runAction(
  { target, action: actionName, attempt, timeoutMs }: Order,
  { context, pod, signal, namespace }: ActionWorld,
  action: ResolvedAction,
): Promise<Acted> {
  const access = actionName === 'pre' ? context.freezing : context.thawing;
  const choice = handlerOf(action, target, { namespace, pod });
  if ('problem' in choice) {
    return { result: bareResult('Failed', choice.problem, 0), notStarted: 'Unreached' };
  }
  const { handler } = choice;
  const { platform } = context;
  const request: AttemptRequest = {
    runId: target.podUID,
    step: actionName,
    attempt,
    timeoutMs,
    signal,
  };
  const watched = watchExec(access.exec);
  const network = podNetwork(access.network, {
    podAddress: pod?.status?.podIP ?? '',
    isAllowedHost: context.isAllowedHost ?? noOtherHost,
  });
  const act = actOf(handler, { ...access, exec: watched.exec, network }, platform);
  const key = { namespace, pod: target.podName, container: target.containerName };
  const mask = maskSecretsOf({ access, key, timeoutMs, timers: platform.timers });
  const result = await mask(await makeAttempt({ act, request, platform }));
  return { result, notStarted: handler.kind === 'exec' ? watched.notStarted() : null };
}

/** Runs a handler of a kind that hooks in a cluster may have. */
function actOf(
  handler: Handler,
  access: ContainerAccess,
  platform: SnapshotContext['platform'],
): Act {
  const world = { ...platform, exec: access.exec, network: access.network };
  return (request) => {
    switch (handler.kind) {
      case 'exec':
        return runExec(handler, request, world);
      case 'httpGet':
        return runHttpGet(handler, request, world);
      case 'tcpSocket':
        return runTcpSocket(handler, request, world);
      case 'command':
      case 'sleep': {
        const reason = `A hook in a cluster cannot use ${handler.kind}.`;
        return Promise.resolve(bareResult('Failed', reason, 0));
      }
      default:
        return handler satisfies never;
    }
  };
}
