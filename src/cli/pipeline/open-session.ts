/**
 * Opens a session: reads the configuration, finds the cluster, opens the record. It acquires every resource of this
 * machine that a verb needs, and disposing of the session releases them.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';

import type { PipelineConfig } from '../../lifecycles/pipeline/config/model.ts';
import { type ReadPipeline, readPipeline } from '../../lifecycles/pipeline/config/read-pipeline.ts';
import { EventStream } from '../../lifecycles/pipeline/events/event-stream.ts';
import {
  pipelineEnvelope,
  type SessionEnd,
} from '../../lifecycles/pipeline/events/pipeline-event.ts';
import { countHooks, hooksOf } from '../../lifecycles/pipeline/events/hook-counts.ts';
import { RunRecords } from '../../lifecycles/pipeline/hooks/run-records.ts';
import type { PipelineSession } from '../../lifecycles/pipeline/session.ts';
import type { Problem } from '../../model/problem.ts';
import { maskValues } from '../../model/secrets.ts';
import type { HttpServer } from '../../platform/http-server.ts';
import { launchedProcesses, type LaunchedProcesses } from '../../platform/launched-processes.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { nodeProcesses } from '../../platform/processes.ts';
import { nodeRandomness } from '../../platform/randomness.ts';
import type { CancelSignal } from '../../platform/platform.ts';
import { commandTraces } from '../span-export.ts';
import { programFolder } from '../program-files.ts';
import { configFacts, configFile } from './config-facts.ts';
import { EventJournal } from './event-journal.ts';
import { fileHistory } from './hook-history-file.ts';
import { type ClusterNeed, currentContextOf, openTarget } from './kube-target.ts';
import { makeSession, type SessionParts, withConfig } from './make-session.ts';
import type { PipelineOptions } from './options.ts';
import { Closing, serveSession } from './serve-session.ts';
import { openSessionFolder } from './session-folder.ts';

export interface Asked {
  readonly verb: string;
  /** The verb whose profiles are activated; `rerun` uses that of the recorded session. */
  readonly activates: string;
  readonly need: ClusterNeed;
  readonly signal?: CancelSignal;
  /** Aborts at a second interruption. */
  readonly hurry?: CancelSignal;
  /** Receives the event stream before its first event, which the opening emits. */
  readonly listen?: (events: EventStream) => void;
}

export interface OpenSession extends AsyncDisposable {
  readonly session: PipelineSession;
  /** Warnings of the first reading of the configuration. */
  readonly warnings: readonly Problem[];
  /** Example: "http://127.0.0.1:50052/events"; null: events are not served. */
  readonly eventsUrl: string | null;
  /** Directory of this session's record: journal, events.ndjson, session.json. */
  readonly folder: string;
  /** Reads the configuration again; cluster, record and values stay. Rejects as the first reading does. */
  readonly reload: () => Promise<PipelineSession>;
  /** Emits the last event. If it is never called, the record says that the session failed. */
  readonly ended: (end: Omit<SessionEnd, 'type'>) => void;
}

/** @throws LifehookError if the configuration or the kubeconfig cannot be used. */
export async function openSession(options: PipelineOptions, asked: Asked): Promise<OpenSession> {
  const closing = new Closing();
  try {
    return await open(options, asked, closing);
  } catch (error) {
    await closing[Symbol.asyncDispose]();
    throw error;
  }
}

async function open(given: PipelineOptions, asked: Asked, closing: Closing): Promise<OpenSession> {
  const options = withAbsolutePaths(given);
  const runId = nodeRandomness.uuid();
  const events = new EventStream({ runId, clock: nodePlatform.clock });
  asked.listen?.(events);
  const traces = commandTraces('lifehook-pipeline');
  if (traces !== null) {
    events.listen((event) => {
      traces.observe(pipelineEnvelope(event));
    });
    closing.add(() => traces.stop());
  }
  const file = await configFile(options.filename);
  const readAgain = (): Promise<ReadPipeline> =>
    readConfig(options, { file, verb: asked.activates });
  const read = await readAgain();
  const signals = [asked.signal, asked.hurry].filter((signal) => signal !== undefined);
  const found = await openTarget(options, {
    need: asked.need,
    context: contextOf(read.config),
    signals,
  });
  closing.add(() => found?.close());
  const end = { exitCode: FAILED };
  const record = { verb: asked.verb, runId, file, options };
  const kept = await openRecord(
    { stateFolder: join(read.config.workDir, '.lifehook'), record, events, end },
    closing,
  );
  const { http: server, rpcPort } = await serveSession(
    { options, read, found, events, runId },
    closing,
  );
  closing.add(() => {
    events.close();
  });
  const processes = sessionProcesses();
  closing.add(() => {
    processes.close();
  });
  const parts: SessionParts = {
    options,
    read,
    found,
    events,
    runId,
    processes,
    httpPort: server?.port ?? null,
    rpcPort,
    signal: asked.signal,
    hurry: asked.hurry,
    ...kept,
  };
  return opened(parts, { readAgain, end, server, closing });
}

interface Opening {
  readonly readAgain: () => Promise<ReadPipeline>;
  readonly end: { exitCode: number };
  readonly server: HttpServer | null;
  readonly closing: Closing;
}

function opened(parts: SessionParts, { readAgain, end, server, closing }: Opening): OpenSession {
  const { events, read, folder } = parts;
  const warn = warningsTo(events);
  warn(read);
  events.emit({ type: 'HookCounts', counts: countHooks(hooksOf(read.config)) });
  const session = makeSession(parts);
  return {
    session,
    warnings: read.warnings,
    folder: folder.path,
    eventsUrl: server === null ? null : `${server.url}/events`,
    reload: async () => {
      const again = await readAgain();
      warn(again);
      return withConfig(session, { ...parts, read: again });
    },
    ended: (reported) => {
      end.exitCode = reported.exitCode;
      events.emit({ type: 'Ended', ...reported });
    },
    [Symbol.asyncDispose]: () => closing[Symbol.asyncDispose](),
  };
}

const FAILED = 1;

/** Makes paths absolute, because a user may rerun a hook from another directory. */
function withAbsolutePaths(options: PipelineOptions): PipelineOptions {
  const { filename, kubeconfig } = options;
  return {
    ...options,
    ...(filename === undefined ? {} : { filename: resolve(filename) }),
    ...(kubeconfig === undefined ? {} : { kubeconfig: resolve(kubeconfig) }),
  };
}

function readConfig(
  options: PipelineOptions,
  { file, verb }: { readonly file: string; readonly verb: string },
): Promise<ReadPipeline> {
  const { kubeContext, profile, module, ignoreUnsupported, platform = [] } = options;
  return readPipeline({
    file,
    profiles: profile,
    modules: module,
    env: process.env,
    command: verb,
    ignoreUnsupported,
    platforms: platform,
    ...(kubeContext === undefined ? {} : { kubeContext }),
    facts: configFacts(() => currentContextOf(options)),
  });
}

/** The context that the configuration itself names, without those of configurations that it requires; null: none. */
function contextOf({ modules }: PipelineConfig): string | null {
  const contexts = modules.toReversed().map(({ deploy }) => deploy.kubeContext);
  return contexts.find((context) => context !== undefined) ?? null;
}

interface Recording {
  readonly stateFolder: string;
  readonly record: Parameters<typeof openSessionFolder>[1];
  readonly events: EventStream;
  readonly end: { readonly exitCode: number };
}

async function openRecord(
  { stateFolder, record, events, end }: Recording,
  closing: Closing,
): Promise<Pick<SessionParts, 'stateFolder' | 'folder' | 'history' | 'maskEarlier'>> {
  const folder = await openSessionFolder(stateFolder, record);
  closing.add(() => folder.close(end.exitCode));
  const { files } = nodePlatform;
  await new RunRecords(files, join(stateFolder, 'runs')).removeEarlier();
  closing.add(() => files.remove(join(folder.path, 'scratch')));
  const journal = await EventJournal.open(join(folder.path, 'events.ndjson'), nodePlatform);
  closing.add(() => journal.close());
  events.listen(
    (event) => {
      journal.add(event);
    },
    (lines) => {
      journal.addLines(lines);
    },
  );
  const history = fileHistory(stateFolder);
  const maskEarlier = async (secrets: readonly string[]): Promise<void> => {
    const masker = maskValues(secrets);
    events.maskEarlier(masker);
    await journal.maskEarlier(masker);
  };
  return { stateFolder, folder, history, maskEarlier };
}

/** Emits each warning once, even if the configuration is read several times. */
function warningsTo(events: EventStream): (read: ReadPipeline) => void {
  const reported = new Set<string>();
  return ({ warnings }) => {
    for (const { code, message, at, next } of warnings) {
      const place = at === undefined ? '' : ` (${at.file}:${at.line}:${at.column})`;
      const text = `${message.replace(/\.$/u, '')}${place}. Next: ${next}`;
      if (reported.has(text)) continue;
      reported.add(text);
      events.emit({ type: 'Warning', code, message: text });
    }
  };
}

/** Starts the programs of a session with the native launcher if it was built, else from this process. */
function sessionProcesses(): LaunchedProcesses {
  const launcher = join(programFolder(), 'shim', 'lifehook-launch');
  return existsSync(launcher)
    ? launchedProcesses(launcher)
    : { ...nodeProcesses, close: () => undefined };
}
