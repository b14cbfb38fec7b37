/**
 * Runs hooks of one stage of one container. This is the runner, which the wrapper has put into config.json in place of
 * the hooks. It fulfils the specification where runtimes do not: the deadline kills every process that the hook has
 * started, output is bounded and shown on failure, the environment is the hook's own, a variable names the stage, and
 * each attempt is recorded, its intent before it starts.
 *
 * The runner's own exit code is for the runtime: 0 if no hook failed whose failure counts; else the exit code of that
 * hook, 124 after its deadline, or 1 if it has none.
 */
import type { Act } from '../../../engine/act.ts';
import { makePlan, MAX_TIMEOUT_SECONDS, type Plan } from '../../../engine/plan.ts';
import { type RunResult, runPlan } from '../../../engine/run.ts';
import { runCommand } from '../../../handlers/command.ts';
import type { AttemptResult } from '../../../model/attempt.ts';
import type { CommandHandler } from '../../../model/hook.ts';
import { formatProblem, type Problem } from '../../../model/problem.ts';
import { LinkedSignal } from '../../../platform/linked-signal.ts';
import { errorText } from '../../../platform/error-text.ts';
import type { ByteText, CancelSignal } from '../../../platform/platform.ts';
import type { ShimHost } from '../../../platform/shim-host.ts';
import { procTable, type ProcessIdentity } from '../../../store/process-table.ts';
import { CONFIG_MAX_BYTES } from '../config/config-text.ts';
import {
  environmentOf,
  RETRY_BACKOFF_SECONDS,
  stuckAfterSeconds,
  type HookCommand,
  type RunnerStage,
} from './hook-command.ts';
import {
  noRecord,
  openRecord,
  recordName,
  type HookOutline,
  type SpoolLedger,
} from '../hook-runs/spool.ts';
import { captureWholeOutput } from '../hook-runs/whole-output.ts';
import { wholeTree } from '../hook-runs/whole-tree.ts';
import { hookState, type HookState } from './state-json.ts';

/** Maximum bytes of input: far above the size of a container's state, which is mostly annotations. */
const STATE_MAX_BYTES = 16 * 1024 * 1024;
const exitAfterDeadline = 124;

/** Runs the hooks sequentially until one fails; returns the exit code for the runtime. */
export async function runHooks(host: ShimHost, commands: readonly HookCommand[]): Promise<number> {
  const cancelling = new LinkedSignal();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    host.supervision.onSignal(signal, () => {
      cancelling.abort();
    });
  }
  host.supervision.becomeSubreaper();
  const stuckAfter = stuckAfterSeconds(commands);
  if (stuckAfter !== null) host.endAfter(stuckAfter);
  const input = host.readInput(STATE_MAX_BYTES);
  const writer = await identityOf(host);
  for (const [place, command] of commands.entries()) {
    const state = inputOf(host, input, command.stage);
    const env = environmentOf(host.env, place);
    const code = await runHook(host, command, { state, env, writer, signal: cancelling });
    if (code !== 0) return code;
  }
  return 0;
}

/**
 * Adds the container's id and bundle from the environment for a precreate hook: its input is a configuration, which has
 * neither.
 */
function inputOf(host: ShimHost, input: ByteText, stage: RunnerStage): HookState {
  const state = hookState(input, stage);
  if (stage !== 'precreate') return state;
  const { LIFEHOOK_CONTAINER_ID: containerId = '', LIFEHOOK_BUNDLE: bundle = '' } = host.env;
  return { ...state, containerId, bundle };
}

/** The identity of this process. The hook runs even without a process table: then the start time is unknown. */
async function identityOf({ files, pid }: ShimHost): Promise<ProcessIdentity> {
  return procTable(files)
    .self()
    .catch(() => ({ pid, started: 'unknown' }));
}

interface Surroundings {
  readonly state: HookState;
  readonly env: Readonly<Record<string, string>>;
  readonly writer: ProcessIdentity;
  readonly signal: CancelSignal;
}

async function runHook(
  host: ShimHost,
  command: HookCommand,
  { state, env, writer, signal }: Surroundings,
): Promise<number> {
  const outline = outlineOf(command, state, writer);
  const ledger = await openLedger(host, command, outline);
  const handler = handlerOf(command, state, env);
  const plan = planOf(command, outline);
  const filtered = { text: '' };
  const act = actOf(host, handler, command.stage === 'precreate' ? filtered : null);
  const result = await runPlan({ plan, ledger, act, platform: host, signal });
  await ledger.close();
  // The configuration is printed only as a whole, and no record contains it. A run whose failure is ignored succeeds
  // too.
  const isWhole = result.steps[0]?.result?.outcome === 'Succeeded';
  if (isWhole) host.print('stdout', filtered.text);
  return report(host, command, result);
}

function outlineOf(command: HookCommand, state: HookState, writer: ProcessIdentity): HookOutline {
  return {
    type: 'HookRun',
    version: 1,
    container: state.containerId,
    bundle: state.bundle,
    stage: command.stage,
    hook: command.file,
    index: command.index,
    pid: writer.pid,
    writer,
  };
}

async function openLedger(
  host: ShimHost,
  { spool }: HookCommand,
  outline: HookOutline,
): Promise<SpoolLedger> {
  const name = recordName(outline, host.clock.nowMs());
  const warn = (error: unknown): void => {
    host.print('stderr', `${formatProblem(notRecorded(spool, error))}\n`);
  };
  try {
    return tolerant(await openRecord(host.files, { folder: spool, name }, outline), warn);
  } catch (error) {
    warn(error);
    return noRecord;
  }
}

function notRecorded(spool: string, error: unknown): Problem {
  return {
    code: 'LHC303',
    severity: 'warning',
    message: `The hook runs without a complete record, since it cannot be written into ${spool}: ${errorText(error)}.`,
    next: 'Make the directory writable for the user that runs containers, free some disk space, or name another directory as "spool" in the configuration.',
  };
}

/** The record, whose first failure is reported. No failure stops the hook: a full disk must not stop containers. */
function tolerant(record: SpoolLedger, warn: (error: unknown) => void): SpoolLedger {
  let hasWarned = false;
  const attempt = async (work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      if (!hasWarned) warn(error);
      hasWarned = true;
    }
  };
  return {
    read: (runId) => record.read(runId),
    append: (one) => attempt(record.append(one)),
    close: () => attempt(record.close()),
  };
}

function handlerOf(
  command: HookCommand,
  state: HookState,
  env: Surroundings['env'],
): CommandHandler {
  return {
    kind: 'command',
    path: command.path,
    command: command.argv,
    stdin: state.text,
    env: {
      ...env,
      LIFEHOOK_STAGE: command.stage,
      LIFEHOOK_HOOK: command.file,
      LIFEHOOK_CONTAINER_ID: state.containerId,
    },
  };
}

function planOf(command: HookCommand, outline: HookOutline): Plan {
  const { file, stage, index, onFailure, retries, timeoutSeconds } = command;
  return makePlan({
    runId: `${outline.container}-${stage}-${index}-${outline.pid}`,
    title: `container ${outline.container} / ${stage}`,
    deadlineAtMs: null,
    steps: [
      {
        kind: 'main',
        name: file,
        policy: {
          timeoutSeconds:
            timeoutSeconds === null ? null : Math.min(timeoutSeconds, MAX_TIMEOUT_SECONDS),
          retry: { limit: retries, backoffSeconds: RETRY_BACKOFF_SECONDS },
          failurePolicy: onFailure === 'warn' ? 'Ignore' : 'Abort',
        },
        source: { kind: 'file', file, line: 1, column: 1 },
      },
    ],
  });
}

/**
 * The function that runs the command of a hook. `filtered`: gets the whole output of a precreate hook; null: the hook
 * is of another stage.
 */
function actOf(host: ShimHost, handler: CommandHandler, filtered: { text: string } | null): Act {
  const { clock, timers } = host;
  const processes = wholeTree(host.processes, host.supervision);
  return async (request) => {
    const env = { ...handler.env, LIFEHOOK_ATTEMPT: String(request.attempt) };
    const attempt = { ...handler, env };
    if (filtered === null) return runCommand(attempt, request, { clock, timers, processes });
    const output = captureWholeOutput(processes, CONFIG_MAX_BYTES);
    const world = { clock, timers, processes: output.processes };
    const result = await runCommand(attempt, request, world);
    filtered.text = output.text() ?? '';
    return result;
  };
}

function report(host: ShimHost, command: HookCommand, result: RunResult): number {
  const last = result.steps[0]?.result ?? null;
  if (last !== null) printTails(host, last);
  if (last?.outcome === 'Succeeded') return 0;
  // A failed hook after the exit is a warning (runtime.md, lifecycle step 13), and the next hook must run. runc would
  // skip the next hook after a failed one, so the runner reports success.
  const afterEnd = command.stage === 'poststop' || command.stage === 'postexit';
  const passes = command.onFailure === 'warn' || afterEnd;
  host.print('stderr', `${formatProblem(failure(command, result, passes))}\n`);
  return passes ? 0 : exitCodeOf(last);
}

/**
 * Prints the last output of a hook. If the runner fails, runc shows the runner's stderr. crun writes both streams to
 * files that annotations name.
 */
function printTails(host: ShimHost, { stdout, stderr }: AttemptResult): void {
  if (stdout.text !== '') host.print('stdout', stdout.text);
  if (stderr.text !== '') host.print('stderr', endLine(stderr.text));
}

function failure(command: HookCommand, result: RunResult, passes: boolean): Problem {
  const { file, stage, index } = command;
  const attempts = result.steps[0]?.attempts ?? 0;
  const tries = attempts > 1 ? ` after ${attempts} attempts` : '';
  const reason = result.steps[0]?.result?.reason ?? result.reason;
  return {
    code: 'LHC302',
    severity: passes ? 'warning' : 'error',
    message: `The ${stage} hook ${file} (index ${index}, ${command.path}) failed${tries}: ${reason}`,
    next: passes
      ? `The failure stops nothing; see the record of the hook in ${command.spool}.`
      : 'See its output above; "onFailure": "warn" for this file in the configuration lets the container continue.',
  };
}

function exitCodeOf(last: AttemptResult | null): number {
  if (last?.outcome === 'TimedOut') return exitAfterDeadline;
  const code = last?.exitCode ?? 1;
  return code === 0 ? 1 : code;
}

function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
