import type { AttemptRequest } from '../engine/act.ts';
import type { AttemptResult } from '../model/attempt.ts';
import type { Handler } from '../model/hook.ts';
import type { Platform } from '../platform/platform.ts';
import { runCommand } from './command.ts';
import { type ExecPlatform, runExec } from './exec.ts';
import { runHttpGet } from './http-get.ts';
import { runSleep } from './sleep.ts';
import { runTcpSocket } from './tcp-socket.ts';

/** Makes one attempt of a handler: the `Act` of a run passes it the handler of the step. */
export type RunHandler = (handler: Handler, request: AttemptRequest) => Promise<AttemptResult>;

/** Dispatches to all handlers. The shim starts only commands, and does not load this module. */
export function makeRunHandler(platform: ActPlatform): RunHandler {
  return (handler, request) => runHandler(handler, request, platform);
}

export type ActPlatform = Pick<Platform, 'clock' | 'timers' | 'processes' | 'network'> &
  Pick<ExecPlatform, 'exec'>;

function runHandler(
  handler: Handler,
  request: AttemptRequest,
  platform: ActPlatform,
): Promise<AttemptResult> {
  switch (handler.kind) {
    case 'command':
      return runCommand(handler, request, platform);
    case 'exec':
      return runExec(handler, request, platform);
    case 'httpGet':
      return runHttpGet(handler, request, platform);
    case 'tcpSocket':
      return runTcpSocket(handler, request, platform);
    case 'sleep':
      return runSleep(handler, request, platform);
    default:
      return handler satisfies never;
  }
}
