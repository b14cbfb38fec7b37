/** Runs hooks with the engine of the lifecycles: in order, with deadlines, retries, policies and cleanup. */
import { MemoryLedger } from '../engine/ledger.ts';
import { makePlan, type Step } from '../engine/plan.ts';
import { runPlan, type RunResult } from '../engine/run.ts';
import { makeRunHandler } from '../handlers/act.ts';
import type { RunRecord } from '../model/attempt.ts';
import type { RunEvent } from '../model/event.ts';
import type { FailurePolicy, Handler, Hook, HookPolicy } from '../model/hook.ts';
import { parseHook } from '../model/hook-schema.ts';
import { LifehookError } from '../model/problem.ts';
import { nodeFiles } from '../platform/files.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { FileLedger } from '../store/file-ledger.ts';
import { procTable } from '../store/process-table.ts';
import type { RunSummary } from '../store/run-index.ts';

/** The handler of a hook: exactly one of the fields. */
export interface HookHandler {
  /** argv of a process that is started on this machine, without a shell. */
  readonly command?: readonly string[];
  readonly httpGet?: {
    readonly port: number;
    /** Path of the request. Absent: "/". */
    readonly path?: string;
    /** Host to connect to. Absent: localhost. */
    readonly host?: string;
    readonly scheme?: 'HTTP' | 'HTTPS';
    readonly httpHeaders?: readonly { readonly name: string; readonly value: string }[];
    /** The statuses that are a success: "2xx", "204", "200-299". Absent: 200 to 399. */
    readonly expect?: string;
  };
  readonly tcpSocket?: { readonly port: number; readonly host?: string };
  readonly sleep?: { readonly seconds: number };
}

export interface PlannedHook {
  /** Unique within the plan. */
  readonly name: string;
  readonly handler: HookHandler;
  /** Timeout of one attempt, seconds. Absent: none. */
  readonly timeoutSeconds?: number;
  /**
   * Maximum number of retries, and the pause before the first one in seconds; each further pause is twice as long.
   * Absent: no retry.
   */
  readonly retry?: { readonly limit?: number; readonly backoffSeconds?: number };
  /** Effect of a failure of this hook. Absent: Abort. Retry continues until the deadline of the plan. */
  readonly failurePolicy?: FailurePolicy;
}

/** Runs after the main hooks have ended, whatever their outcome; a cancellation does not stop it. */
export interface CleanupHook extends PlannedHook {
  /** Name of a main hook: the cleanup runs only if that hook was started. */
  readonly undoes?: string;
}

export interface HookPlan {
  readonly title: string;
  /**
   * Id of the run. With a ledger, the same id resumes an interrupted run, and runs nothing for a completed run. It is
   * refused if the ledger has dropped that run (LHE013). Absent: a new id.
   */
  readonly runId?: string;
  /** Main hooks; they run in this order until one fails. */
  readonly hooks: readonly PlannedHook[];
  readonly cleanup?: readonly CleanupHook[];
  /** Seconds from now until the deadline of all main hooks together. Absent: none. */
  readonly deadlineSeconds?: number;
}

export interface RunHooksOptions {
  /** Stores the records before and after each attempt. Absent: they are kept in memory only. */
  readonly ledger?: Pick<HookLedger, 'read' | 'append'>;
  /** Called with every record once it is durable, and with live output between them. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Abort cancels the run: the running hook is stopped, and the cleanup starts. */
  readonly signal?: AbortSignal;
}

const MS_PER_SECOND = 1_000;
const DEFAULTS: HookPolicy = {
  timeoutSeconds: null,
  retry: { limit: 0, backoffSeconds: 1 },
  failurePolicy: 'Abort',
};

/**
 * Runs a plan to its end. A hook that fails is a result, never a rejection.
 * @throws LifehookError with all problems of an invalid plan; or an error if the ledger accepts no more records.
 */
export async function runHooks(plan: HookPlan, options: RunHooksOptions = {}): Promise<RunResult> {
  const { ledger = new MemoryLedger(), onEvent, signal } = options;
  const { title, runId = crypto.randomUUID(), deadlineSeconds } = plan;
  const deadlineAtMs =
    deadlineSeconds === undefined
      ? null
      : nodePlatform.clock.nowMs() + deadlineSeconds * MS_PER_SECOND;
  const steps = readSteps(plan);
  const handlers = new Map(steps.map(({ step, handler }) => [step.name, handler]));
  const runHandler = makeRunHandler(nodePlatform);
  return runPlan({
    plan: makePlan({ runId, title, steps: steps.map(({ step }) => step), deadlineAtMs }),
    ledger,
    act: (request) => runHandler(handlerOf(handlers, request.step), request),
    platform: nodePlatform,
    ...(onEvent !== undefined && { emit: onEvent }),
    ...(signal !== undefined && { signal }),
  });
}

interface ReadStep {
  readonly step: Step;
  readonly handler: Handler;
}

function readSteps({ title, hooks, cleanup = [] }: HookPlan): ReadStep[] {
  const main = hooks.map((written): ReadStep => {
    const { handler, ...hook } = readHook(title, written);
    return { step: { kind: 'main', ...hook }, handler };
  });
  const undoing = cleanup.map(({ undoes, ...written }): ReadStep => {
    const { handler, ...hook } = readHook(title, written);
    return { step: { kind: 'cleanup', ...hook, ...(undoes !== undefined && { undoes }) }, handler };
  });
  return [...main, ...undoing];
}

function handlerOf(handlers: ReadonlyMap<string, Handler>, step: string): Handler {
  const handler = handlers.get(step);
  if (handler === undefined) throw new Error(`the plan has no step ${step}`);
  return handler;
}

function readHook(title: string, hook: PlannedHook): Hook {
  const source = { kind: 'object', object: title } as const;
  const parsed = parseHook(hook, { source, defaults: DEFAULTS });
  if (parsed.kind === 'problems') throw new LifehookError(parsed.problems);
  return parsed.hook;
}

export type { RunSummary } from '../store/run-index.ts';

/** The records of runs, in order: an intent before each attempt, and its outcome. */
export interface HookLedger {
  read(runId: string): Promise<readonly RunRecord[]>;
  /** Resolves when the record is durable. */
  append(record: RunRecord): Promise<void>;
  /**
   * Newest first. `settled` is null for a run that is still running, or that was not settled when its process exited.
   */
  runs(limits: { readonly limit: number }): readonly RunSummary[];
  close(): Promise<void>;
}

/**
 * A ledger in a directory, which is created if it does not exist. The records survive `kill -9`. Only one process at a
 * time can open it. Linux only: the lock reads /proc.
 * @throws LifehookError LHE007 if it is damaged, LHE008 if another process has locked it.
 */
export async function openLedger(directory: string): Promise<HookLedger> {
  return FileLedger.open({ files: nodeFiles, folder: directory, processes: procTable(nodeFiles) });
}
