/** Builds a session from its opened parts. It opens and reads nothing, except the name of this system. */
import process from 'node:process';

import { neverCancelled } from '../../engine/act.ts';
import type { PipelineConfig } from '../../lifecycles/pipeline/config/model.ts';
import type { ReadPipeline } from '../../lifecycles/pipeline/config/read-pipeline.ts';
import type { EventStream } from '../../lifecycles/pipeline/events/event-stream.ts';
import { maskEvent } from '../../lifecycles/pipeline/events/pipeline-event.ts';
import type { SessionFacts } from '../../lifecycles/pipeline/hooks/contract.ts';
import type { HookHistory } from '../../lifecycles/pipeline/hooks/history.ts';
import { HookLocks, type HookRunContext } from '../../lifecycles/pipeline/hooks/run-context.ts';
import { RunRecords } from '../../lifecycles/pipeline/hooks/run-records.ts';
import type { PipelineSession, RunOptions } from '../../lifecycles/pipeline/session.ts';
import { sessionMasker, SessionValues } from '../../lifecycles/pipeline/values/session-values.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { nodeScratchFiles } from '../../platform/node-scratch-files.ts';
import type { CancelSignal, Processes } from '../../platform/platform.ts';
import { nodeTcpListening } from '../../platform/tcp-listener.ts';
import { goosOf } from './config-facts.ts';
import type { OpenTarget } from './kube-target.ts';
import type { PipelineOptions } from './options.ts';
import type { SessionFolder } from './session-folder.ts';

export interface SessionParts {
  readonly options: PipelineOptions;
  readonly read: ReadPipeline;
  readonly found: OpenTarget | null;
  readonly folder: SessionFolder;
  readonly stateFolder: string;
  readonly events: EventStream;
  /** Masks secrets in the events that are already stored, in memory and in the record of the session. */
  readonly maskEarlier: (secrets: readonly string[]) => Promise<void>;
  readonly history: HookHistory;
  readonly runId: string;
  readonly processes: Processes;
  /** Port of the HTTP event server; null: no such server. */
  readonly httpPort: number | null;
  /** Port of the gRPC event server; null: no such server. */
  readonly rpcPort: number | null;
  readonly signal: CancelSignal | undefined;
  readonly hurry: CancelSignal | undefined;
}

export function makeSession(parts: SessionParts): PipelineSession {
  const { options, read, found, folder, events, history } = parts;
  const platform = { ...nodePlatform, processes: parts.processes };
  let runs = 0;
  const callerEnv = environmentOf(parts);
  const values = new SessionValues();
  const masker = sessionMasker({ callerEnv, values });
  const hooks: HookRunContext = {
    platform,
    ledger: folder.ledger,
    records: new RunRecords(nodeScratchFiles, `${parts.stateFolder}/runs`),
    nextRunId: () => `${folder.id}-${(runs += 1)}`,
    cluster: found?.port ?? null,
    callerEnv,
    workDir: read.config.workDir,
    scratchFolder: `${folder.path}/scratch`,
    scratch: nodeScratchFiles,
    values,
    history,
    locks: new HookLocks(),
    iteration: 1,
    emit: (event) => {
      // Lines of output were already masked on arrival.
      const isOutput = event.type === 'Output' || event.type === 'OutputLines';
      events.emit(isOutput ? event : maskEvent(event, masker));
    },
    maskEarlier: parts.maskEarlier,
    compat: options.compat,
    signal: parts.signal ?? neverCancelled,
    hurry: parts.hurry ?? neverCancelled,
  };
  return {
    config: read.config,
    options: runOptionsOf(options),
    platform,
    processTable: parts.folder.processTable,
    listening: nodeTcpListening,
    goos: goosOf(process.platform),
    hooks,
    facts: factsOf(read.config, parts),
    target: found?.target ?? null,
    stateFolder: parts.stateFolder,
    runId: parts.runId,
  };
}

/** The same session with a reloaded configuration: values, journal and locks stay (PIPE-CASE46). */
export function withConfig(session: PipelineSession, parts: SessionParts): PipelineSession {
  const { config } = parts.read;
  const hooks = { ...session.hooks, callerEnv: environmentOf(parts), workDir: config.workDir };
  return { ...session, config, hooks, facts: factsOf(config, parts) };
}

/** The environment of hooks. It has KUBECONFIG, so that their kubectl uses the kubeconfig of the command line. */
function environmentOf({ read, options }: SessionParts): Record<string, string> {
  const { kubeconfig } = options;
  const env = kubeconfig === undefined ? read.env : { ...read.env, KUBECONFIG: kubeconfig };
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/**
 * The facts that hooks find in their environment. An unknown fact is absent (PIPE-C10), for example the context of an
 * unreadable kubeconfig.
 */
function factsOf(
  { workDir, profiles }: PipelineConfig,
  { options, found, httpPort, rpcPort }: SessionParts,
): SessionFacts {
  const { defaultRepo, multiLevelRepo } = options;
  const kubeContext = found?.target.context ?? '';
  return {
    workDir,
    profiles,
    ...(defaultRepo === undefined ? {} : { defaultRepo }),
    ...(multiLevelRepo === undefined ? {} : { multiLevelRepo }),
    ...(httpPort === null ? {} : { httpPort }),
    ...(rpcPort === null ? {} : { rpcPort }),
    ...(kubeContext === '' ? {} : { kubeContext }),
  };
}

function runOptionsOf(options: PipelineOptions): RunOptions {
  return {
    defaultRepo: options.defaultRepo ?? null,
    multiLevelRepo: options.multiLevelRepo ?? null,
    tag: options.tag ?? null,
    push: options.push ?? null,
    cacheArtifacts: options.cacheArtifacts,
    namespace: options.namespace ?? null,
    buildImages: options.buildImage,
    modules: options.module,
    statusCheck: options.statusCheck ?? null,
    compat: options.compat,
    labels: options.label ?? {},
    watchImages: options.watchImage ?? [],
    skipTests: options.skipTests,
    containerProgram: options.containerProgram ?? null,
  };
}
