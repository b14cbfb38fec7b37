/** Of `run` and `deploy`: forwarded ports and logs of what was deployed, until Ctrl-C, which is their usual end. */
import type { CancelSignal } from '../../../platform/platform.ts';
import { forwardPorts } from '../forward/forward-ports.ts';
import { tailLogs } from '../logs/tail-logs.ts';
import type { Deployed, PhaseResult, PipelineSession } from '../session.ts';

export interface Stay {
  readonly portForward: boolean;
  readonly tail: boolean;
}

/** With neither it is over at once. */
export async function stayOpen(
  session: PipelineSession,
  deployed: Deployed,
  { portForward, tail }: Stay,
): Promise<PhaseResult<Deployed>> {
  const logs = tail ? tailLogs(session, deployed) : null;
  try {
    const ports = portForward ? await forwardPorts(session, deployed) : null;
    if (ports !== null && ports.outcome !== 'Succeeded') return ports;
    if (logs !== null || ports !== null) await cancelled(session.hooks.signal);
    await ports?.value[Symbol.asyncDispose]();
    return { outcome: 'Succeeded', value: deployed };
  } finally {
    await logs?.[Symbol.asyncDispose]();
  }
}

function cancelled(signal: CancelSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', resolve);
  });
}
