import type { AttemptRequest } from '../engine/act.ts';
import type { AttemptResult } from '../model/attempt.ts';
import type { Handler, SleepHandler, TcpSocketHandler } from '../model/hook.ts';
import type { Platform } from '../platform/platform.ts';
import { runCommand } from './command.ts';
import { type ExecPlatform, runExec } from './exec.ts';
import { runHttpGet } from './http-get.ts';
import { makeMasker } from '../model/secrets.ts';
import { sleep } from '../platform/sleep.ts';
import { runBounded } from './bounded-work.ts';

/** Makes one attempt of a hook with this handler. */
export type RunHandler = (handler: Handler, request: AttemptRequest) => Promise<AttemptResult>;

/** Runs handlers of every kind. The shim has commands only, so it does not load this module. */
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

/** Succeeds after the given time; ends earlier only at a deadline or a cancellation. */
function runSleep(
  handler: SleepHandler,
  request: AttemptRequest,
  platform: Pick<Platform, 'clock' | 'timers'>,
): Promise<AttemptResult> {
  return runBounded(request, platform, {
    what: `The sleep of ${handler.seconds} s`,
    masker: makeMasker([]),
    run: async (signal) => {
      await sleep(platform.timers, handler.seconds * 1000, signal);
      return { succeeded: true, reason: 'is over' };
    },
  });
}

/** Succeeds if a TCP connection can be opened. The connection is closed without sending a byte. */
export function runTcpSocket(
  { host, port }: TcpSocketHandler,
  request: AttemptRequest,
  platform: Pick<Platform, 'clock' | 'timers' | 'network'>,
): Promise<AttemptResult> {
  return runBounded(request, platform, {
    what: `The connection to ${host} port ${port}`,
    masker: makeMasker(request.secrets ?? []),
    run: async (signal) => {
      await platform.network.tcpConnect({ host, port, signal });
      return { succeeded: true, reason: 'was accepted' };
    },
  });
}
