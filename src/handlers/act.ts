import type { Act, AttemptRequest } from '../engine/act.ts';
import type { AttemptResult } from '../model/attempt.ts';
import type { Handler } from '../model/hook.ts';
import type { Platform } from '../platform/platform.ts';
import { runCommand } from './command.ts';
import { type ExecPlatform, runExec } from './exec.ts';
import { runHttpGet } from './http-get.ts';
import { runSleep } from './sleep.ts';
import { runTcpSocket } from './tcp-socket.ts';

/**
 * Every handler behind the one function that the engine calls. Who needs only some of them (the shim's
 * runner starts nothing but commands) writes an `Act` of its own over those functions.
 */
export function makeAct(platform: ActPlatform): Act {
  return (request) => act(request.hook.handler, request, platform);
}

export type ActPlatform = Pick<Platform, 'clock' | 'timers' | 'processes' | 'network'> &
  Pick<ExecPlatform, 'exec'>;

function act(
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
