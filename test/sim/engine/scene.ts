import { type Act, bareResult } from '../../../src/engine/act.ts';
import type { Plan } from '../../../src/engine/plan.ts';
import { runPlan, type RunResult } from '../../../src/engine/run.ts';
import type { AttemptResult, Outcome, RunRecord } from '../../../src/model/attempt.ts';
import type { RunEvent } from '../../../src/model/event.ts';
import { LinkedSignal } from '../../../src/platform/linked-signal.ts';
import type { CancelSignal } from '../../../src/platform/platform.ts';
import { DisturbedLedger } from '../disturbed-ledger.ts';
import { World } from '../world.ts';

export function ended(outcome: Outcome): AttemptResult {
  return bareResult(outcome, `it ended ${outcome}`, 1);
}

/** Runs plans on a simulated machine. No fault happens unless the test injects it. */
export class Scene {
  readonly world: World = new World();
  readonly ledger: DisturbedLedger = new DisturbedLedger();
  readonly cancel: LinkedSignal = new LinkedSignal();
  readonly began: string[] = [];
  readonly events: RunEvent[] = [];
  readonly startMs: number = this.world.wallMs;
  act: Act = () => Promise.resolve(ended('Succeeded'));
  emit: (event: RunEvent) => void = (event) => {
    this.events.push(event);
  };

  async run(plan: Plan, signal: CancelSignal = this.cancel): Promise<RunResult> {
    const process = this.world.spawn();
    const running = runPlan({
      plan,
      ledger: this.ledger,
      platform: { clock: this.world.clockOf(), timers: this.world.timersOf(process) },
      act: (request) => {
        this.began.push(`${request.step} ${request.attempt}`);
        return this.act(request);
      },
      emit: (event) => {
        this.emit(event);
      },
      signal,
    });
    let over = false;
    const watch = (): void => {
      over = true;
    };
    running.then(watch, watch);
    if (!(await this.world.runUntil(() => over, 10_000))) throw new Error('the run hangs');
    return running;
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.world.after(ms, resolve);
    });
  }

  /** Adds the records of an earlier process. */
  async record(records: readonly RunRecord[]): Promise<void> {
    for (const record of records) await this.ledger.append(record);
  }

  recorded(): string[] {
    return this.ledger.records.map((record) => {
      if (record.type === 'AttemptSettled') return `${record.result.outcome} ${record.step}`;
      if (record.type === 'AttemptStarted') return `start ${record.step}`;
      return record.type === 'RunSettled' ? `settle ${record.outcome}` : record.type;
    });
  }
}
