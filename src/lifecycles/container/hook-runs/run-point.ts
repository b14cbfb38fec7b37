/** Runs the hooks of one point through the engine and returns their outcome, with messages. */
import type { Act, AttemptRequest } from '../../../engine/act.ts';
import { runPlan, type RunResult } from '../../../engine/run.ts';
import { runEnvelope } from '../../../engine/run-log.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import type { CommandHandler } from '../../../model/hook.ts';
import type { Problem } from '../../../model/problem.ts';
import type { CancelSignal, Platform } from '../../../platform/platform.ts';
import { FileLedger } from '../../../store/file-ledger.ts';
import { procTable } from '../../../store/process-table.ts';
import { runHookCommand, type HookRunner } from './behind-runner.ts';
import { describeFailure, commandsOf, planPoint, type PointPlanning } from './plan-point.ts';
import type { Life, LifeEvent } from '../life/life.ts';
import { keepingRecords } from './keep-records.ts';

export interface PointRunning extends PointPlanning {
  readonly platform: Platform;
  /**
   * The directory for the journal of these hooks. Hooks of commands and hooks of the supervisor have separate journals.
   */
  readonly ledgerFolder: string;
  /** The directory for the record of each hook, since the journal is deleted with its container. */
  readonly spool: string;
  readonly signal?: CancelSignal;
  readonly emit?: Life['emit'];
  /**
   * Runs each hook so that its deadline outlives a killed command. Absent: hooks are our own children, which suits a
   * process that outlives every command.
   */
  readonly runner?: HookRunner | undefined;
  /** Runs one hook; absent: as a command, the only handler that an OCI hook can have. */
  readonly act?: RunHookCommand;
}

export type RunHookCommand = (
  command: CommandHandler,
  request: AttemptRequest,
) => Promise<AttemptResult>;

/**
 * failed: a hook failed, and none after it ran. `warnings`: failures that stop nothing.
 * An interrupted point that is run again continues at the end of its journal.
 */
export type PointOutcome =
  | { readonly kind: 'done'; readonly warnings: readonly Problem[] }
  | { readonly kind: 'failed'; readonly problem: Problem; readonly warnings: readonly Problem[] }
  | { readonly kind: 'cancelled' };

export async function runPoint(running: PointRunning): Promise<PointOutcome> {
  const { platform, container, point, emit } = running;
  // Without hooks there is nothing to record, and most points have none.
  if ((container.hooks[point] ?? []).length === 0) return { kind: 'done', warnings: [] };
  const plan = planPoint(running);
  const { id } = container;
  // The id of a container may be used again, also on other machines.
  const run = `${id}/${container.instance}`;
  const place = { lifecycle: 'container', target: { containerId: id }, point, run } as const;
  const { files } = platform;
  const folder = running.ledgerFolder;
  const ledger = await FileLedger.open({ files, folder, processes: procTable(files) });
  try {
    const result = await runPlan({
      plan,
      ledger: keepingRecords(running, ledger),
      platform,
      act: actOf(running),
      ...(running.signal === undefined ? {} : { signal: running.signal }),
      emit: (event) => emit?.({ type: 'Hook', id, event: runEnvelope(place, event) }),
    });
    return outcomeOf(running, result);
  } finally {
    await ledger.close();
  }
}

function actOf(running: PointRunning): Act {
  const { platform, runner } = running;
  const { act = (command, request) => runHookCommand(command, request, { platform, runner }) } =
    running;
  const commands = commandsOf(running);
  return async (request) => {
    const command = commands.get(request.step);
    if (command === undefined) throw new Error(`the plan has no step ${request.step}`);
    return act(command, request);
  };
}

function outcomeOf({ container, point }: PointRunning, result: RunResult): PointOutcome {
  if (result.outcome === 'Cancelled') return { kind: 'cancelled' };
  const severity = result.outcome === 'Succeeded' ? 'warning' : 'error';
  const problems = result.steps.flatMap((step, index) => {
    const placed = container.hooks[point]?.[index];
    if (placed === undefined || step.result === null) return [];
    if (step.result.outcome === 'Succeeded') return [];
    const { name, result: attempt } = step;
    return [
      describeFailure({ name: `${name} of container ${container.id}`, placed, attempt, severity }),
    ];
  });
  if (severity === 'warning') return { kind: 'done', warnings: problems };
  const [problem, ...warnings] = problems;
  if (problem === undefined)
    throw new Error(`a run failed without a failed step: ${result.reason}`);
  return { kind: 'failed', problem, warnings };
}

/** Emits problems that stop nothing. */
export function warn(life: Pick<Life, 'emit'>, id: string, problems: readonly Problem[]): void {
  for (const problem of problems) {
    const event: LifeEvent = { type: 'Warning', id, problem };
    life.emit?.(event);
  }
}
