import type { AttemptRequest } from '../engine/act.ts';
import type { AttemptResult } from '../model/attempt.ts';
import type { TcpSocketHandler } from '../model/hook.ts';
import { makeMasker } from '../model/secrets.ts';
import type { Platform } from '../platform/platform.ts';
import { runBounded } from './bounded-work.ts';

/** Succeeds if a TCP connection can be opened; it is closed without sending a byte. */
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
