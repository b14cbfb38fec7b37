/** What is open from one iteration to the next: forwarded ports and the tails of logs. */
import { forwardPorts } from '../forward/forward-ports.ts';
import { tailLogs } from '../logs/tail-logs.ts';
import type { Deployed, PhaseResult, PipelineSession } from '../session.ts';

export interface Wanted {
  readonly forwardPorts: boolean;
  readonly tailLogs: boolean;
}

export class DevResources implements AsyncDisposable {
  readonly #wanted: Wanted;
  #ports: AsyncDisposable | null = null;
  #logs: AsyncDisposable | null = null;
  #of: Deployed | null = null;

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
  }

  /** Ports stay open over deployments: each connection finds the pod of its time. null: all is open. */
  async open(
    session: PipelineSession,
    deployed: Deployed,
  ): Promise<Exclude<PhaseResult<never>, { outcome: 'Succeeded' }> | null> {
    if (this.#wanted.forwardPorts && this.#ports === null) {
      const opened = await forwardPorts(session, deployed);
      if (opened.outcome !== 'Succeeded') return opened;
      this.#ports = opened.value;
    }
    if (this.#wanted.tailLogs && this.#of !== deployed) {
      const isFirst = this.#of === null;
      await this.#logs?.[Symbol.asyncDispose]();
      const sinceMs = session.platform.clock.nowMs();
      this.#logs = tailLogs(session, deployed, isFirst ? {} : { sinceMs });
    }
    this.#of = deployed;
    return null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const open = [this.#ports, this.#logs];
    this.#ports = null;
    this.#logs = null;
    this.#of = null;
    for (const one of open) await one?.[Symbol.asyncDispose]();
  }
}
