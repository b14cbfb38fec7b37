/** What of a pipeline runs at this moment: hooks by their addresses, else phases with their subjects. */
import type { PipelineEvent } from '../../lifecycles/pipeline/events/pipeline-event.ts';
import type { Clock } from '../../platform/platform.ts';

export interface Running {
  /** In the order in which they began. */
  readonly names: readonly string[];
  /** Since the first of them began. */
  readonly forMs: number;
}

export class RunningNow {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #hooks = new Map<string, number>();
  readonly #phases = new Map<string, number>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  add(event: PipelineEvent): void {
    if (event.type === 'PhaseEvent') {
      const { phase, subject, status } = event;
      const name = subject === undefined ? phase : `${phase} ${subject}`;
      this.#note(this.#phases, name, status === 'InProgress');
    } else if (event.type === 'HostCallbackEvent' || event.type === 'ContainerCallbackEvent') {
      const { address, container, status } = event;
      const name = container === undefined ? address : `${address} in ${container}`;
      this.#note(this.#hooks, name, status === 'InProgress');
    } else if (event.type === 'Ended') {
      this.#hooks.clear();
      this.#phases.clear();
    }
  }

  /** A hook tells more than the phase that it belongs to. null: nothing runs. */
  now(): Running | null {
    const shown = this.#hooks.size > 0 ? this.#hooks : this.#phases;
    const [first] = shown.values();
    if (first === undefined) return null;
    return { names: [...shown.keys()], forMs: this.#clock.monotonicMs() - first };
  }

  #note(running: Map<string, number>, name: string, begins: boolean): void {
    if (!begins) running.delete(name);
    else if (!running.has(name)) running.set(name, this.#clock.monotonicMs());
  }
}
