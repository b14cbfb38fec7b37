/**
 * Runs one session as `lifehook pipeline run` does (src/cli/pipeline/open-session.ts), over the ports of its process.
 */
import { Closing } from '../../../src/cli/pipeline/serve-session.ts';
import { EventJournal } from '../../../src/cli/pipeline/event-journal.ts';
import { fileHistory } from '../../../src/cli/pipeline/hook-history-file.ts';
import { interruptions, type Interruptions } from '../../../src/cli/pipeline/run-verb.ts';
import { openSessionFolder, type SessionFolder } from '../../../src/cli/pipeline/session-folder.ts';
import { EventStream } from '../../../src/lifecycles/pipeline/events/event-stream.ts';
import { maskEvent } from '../../../src/lifecycles/pipeline/events/pipeline-event.ts';
import type { HookHistory } from '../../../src/lifecycles/pipeline/hooks/history.ts';
import {
  HookLocks,
  type HookRunContext,
} from '../../../src/lifecycles/pipeline/hooks/run-context.ts';
import { RunRecords } from '../../../src/lifecycles/pipeline/hooks/run-records.ts';
import { runStage } from '../../../src/lifecycles/pipeline/hooks/run-stage.ts';
import type { PhaseResult, PipelineSession } from '../../../src/lifecycles/pipeline/session.ts';
import {
  sessionMasker,
  SessionValues,
} from '../../../src/lifecycles/pipeline/values/session-values.ts';
import { maskValues } from '../../../src/model/secrets.ts';
import type { Platform, Signal } from '../../../src/platform/platform.ts';
import { sleep } from '../../../src/platform/sleep.ts';
import { procTable } from '../../../src/store/process-table.ts';
import { scratchFilesOf } from '../host/host-files.ts';
import { platformOf } from '../host/host-ports.ts';
import type { HostProcess } from '../host/host-process.ts';
import type { Account, Session } from './account.ts';
import { missingPrograms } from './hook-program.ts';
import { judgeEvent } from './judge-event.ts';
import { judgeStage } from './judge-stage.ts';
import type { StagePlan } from './plan.ts';

const FILE = '/p/skaffold.yaml';
const STATE_FOLDER = '/p/.lifehook';

interface Opened {
  readonly platform: Platform;
  readonly folder: SessionFolder;
  readonly events: EventStream;
  readonly history: HookHistory;
  readonly maskEarlier: HookRunContext['maskEarlier'];
}

export async function runSession(
  account: Account,
  session: Session,
  process: HostProcess,
): Promise<number> {
  const closing = new Closing();
  const end = { exitCode: 1 };
  const interrupted = catchInterrupts(session, process, platformOf(account.host, process));
  try {
    const opened = await open(account, { session, process, end }, closing);
    const pipeline = makeSession(account, session, { ...opened, interrupted });
    end.exitCode = await runAll(account, session, pipeline);
    return end.exitCode;
  } finally {
    session.isClosing = true;
    await closing[Symbol.asyncDispose]();
  }
}

interface Opening {
  readonly session: Session;
  readonly process: HostProcess;
  readonly end: { readonly exitCode: number };
}

async function open(
  account: Account,
  { session, process, end }: Opening,
  closing: Closing,
): Promise<Opened> {
  const { host } = account;
  const platform = platformOf(host, process);
  const { files, clock } = platform;
  const machine = {
    files,
    processes: procTable(files),
    nowMs: () => clock.nowMs(),
    hex: () => session.n.toString(16).padStart(8, '0'),
  };
  const record = { verb: 'run', runId: `run-${session.n}`, file: FILE, options: {} as never };
  const folder = await openSessionFolder(STATE_FOLDER, record, machine);
  session.folder = folder.path;
  closing.add(() => folder.close(end.exitCode));
  await new RunRecords(files, `${STATE_FOLDER}/runs`).removeEarlier();
  closing.add(() => files.remove(`${folder.path}/scratch`));
  const events = new EventStream({ runId: `run-${session.n}`, clock });
  const journal = await EventJournal.open(`${folder.path}/events.ndjson`, platform);
  closing.add(() => journal.close());
  events.listen(
    (event) => {
      judgeEvent(account, session, event);
      journal.add(event);
    },
    (lines) => {
      journal.addLines(lines);
    },
  );
  const history = fileHistory(STATE_FOLDER, files);
  const maskEarlier = async (secrets: readonly string[]): Promise<void> => {
    const masker = maskValues(secrets);
    events.maskEarlier(masker);
    await journal.maskEarlier(masker);
  };
  return { platform, folder, events, history, maskEarlier };
}

function makeSession(
  account: Account,
  session: Session,
  opened: Opened & { readonly interrupted: Interruptions },
): PipelineSession {
  const { process } = session;
  const scratch = scratchFilesOf(account.host, process);
  const { folder, events, history, maskEarlier } = opened;
  const processes = missingPrograms(account, session, opened.platform.processes);
  const platform = { ...opened.platform, processes };
  const { signal, hurry } = opened.interrupted;
  const callerEnv = { PATH: '/bin', SESSION: String(session.n) };
  const values = new SessionValues();
  const masker = sessionMasker({ callerEnv, values });
  let runs = 0;
  const hooks: HookRunContext = {
    platform,
    ledger: folder.ledger,
    records: new RunRecords(scratch, `${STATE_FOLDER}/runs`),
    nextRunId: () => `${folder.id}-${(runs += 1)}`,
    cluster: null,
    callerEnv,
    workDir: '/p',
    scratchFolder: `${folder.path}/scratch`,
    scratch,
    values,
    history,
    locks: new HookLocks(),
    iteration: 1,
    emit: (event) => {
      if (!process.alive) return;
      const isOutput = event.type === 'Output' || event.type === 'OutputLines';
      events.emit(isOutput ? event : maskEvent(event, masker));
    },
    maskEarlier,
    compat: false,
    signal,
    hurry,
  };
  const facts = { workDir: '/p', profiles: [] };
  const options = { compat: false } as PipelineSession['options'];
  return { hooks, facts, options, platform, goos: 'linux' } as unknown as PipelineSession;
}

/**
 * Installs the product's own signal handlers. For the judges, each handler also notes, independently of the product,
 * whether a signal cancels the session or is the second one.
 */
function catchInterrupts(
  session: Session,
  process: HostProcess,
  { clock }: Platform,
): Interruptions {
  return interruptions(clock, {
    on: (signal: Signal, act: () => void) => {
      process.handlers.set(signal, () => {
        const nowMs = clock.monotonicMs();
        if (session.cancelledMs === null) session.cancelledMs = nowMs;
        else if (nowMs - session.cancelledMs >= SAME_SIGNAL_MS) session.hurriedMs ??= nowMs;
        act();
      });
    },
  });
}

/** Milliseconds. A second signal within this time is the first one, which was forwarded twice. */
const SAME_SIGNAL_MS = 300;

async function runAll(
  account: Account,
  session: Session,
  pipeline: PipelineSession,
): Promise<number> {
  for (const group of session.plan) {
    const results = await Promise.all(
      group.map((stage) => runOne(account, session, { pipeline, stage })),
    );
    const bad = results.find(({ outcome }) => outcome !== 'Succeeded');
    if (bad !== undefined && bad.outcome !== 'Succeeded') return bad.exitCode;
  }
  return 0;
}

interface OneStage {
  readonly pipeline: PipelineSession;
  readonly stage: StagePlan;
}

async function runOne(
  account: Account,
  session: Session,
  { pipeline, stage }: OneStage,
): Promise<PhaseResult<string>> {
  const { name, hooks, workMs, workFails } = stage;
  const truth = { workBeganMs: null as number | null, workEnded: null as 'well' | 'badly' | null };
  session.stages.set(name, truth);
  const all = [...hooks.before, ...hooks.after, ...hooks.onError, ...hooks.finally];
  const digests = new Map(all.map(({ address }) => [address, session.digest]));
  const result = await runStage<string>(pipeline, {
    hooks,
    facts: () => ({ phase: { kind: 'other' }, digests }),
    work: async () => {
      account.world.note(`session ${session.n}: ${name} works`);
      account.require(session.cancelledMs === null, 'PIPE-P3', () => {
        return `the work of ${name} of session ${session.n} begins, cancelled`;
      });
      truth.workBeganMs = account.world.elapsedMs;
      await sleep(pipeline.platform.timers, workMs, pipeline.hooks.signal);
      const cancelled = pipeline.hooks.signal.aborted;
      truth.workEnded = workFails || cancelled ? 'badly' : 'well';
      if (cancelled) return { outcome: 'Cancelled', exitCode: 130, message: 'interrupted' };
      if (workFails) return { outcome: 'Failed', exitCode: 1, message: 'it fails' };
      return { outcome: 'Succeeded', value: name };
    },
  });
  if (session.process.alive) judgeStage(account, session, { stage, result });
  return result;
}
