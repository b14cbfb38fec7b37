/** The servers of one session: its events over HTTP and gRPC, if the options set ports. */
import process from 'node:process';

import type { ReadPipeline } from '../../lifecycles/pipeline/config/read-pipeline.ts';
import type { EventStream } from '../../lifecycles/pipeline/events/event-stream.ts';
import { goarchOf } from '../../platform/goarch.ts';
import type { HttpServer } from '../../platform/http-server.ts';
import { version } from '../version.ts';
import { goosOf } from './config-facts.ts';
import type { WantedPort } from './event-server.ts';
import type { OpenTarget } from './kube-target.ts';
import type { PipelineOptions } from './options.ts';

export interface ServedSession {
  readonly http: HttpServer | null;
  readonly rpcPort: number | null;
}

export interface SessionToServe {
  readonly options: PipelineOptions;
  readonly read: ReadPipeline;
  readonly found: OpenTarget | null;
  readonly events: EventStream;
  readonly runId: string;
}

/** Starts the servers. Call it before the first event, so that readers get all events. */
export async function serveSession(
  { options, read, found, events, runId }: SessionToServe,
  closing: Closing,
): Promise<ServedSession> {
  const ports = wantedPorts(options);
  if (ports.http === null && ports.rpc === null) return { http: null, rpcPort: null };
  const [{ serveEvents, serveGrpc }, { EventApi }, { apiFacts }] = await Promise.all([
    import('./event-server.ts'),
    import('../../lifecycles/pipeline/events/api/api-service.ts'),
    import('../../lifecycles/pipeline/events/api/api-facts.ts'),
  ]);
  const kubeContext = found?.target.context ?? '';
  const program = `Lifehook ${version}`;
  const facts = apiFacts(read.config, {
    runId,
    hostPlatform: hostPlatform(),
    program,
    kubeContext,
  });
  const served = { events, api: new EventApi(events, facts) };
  const http = ports.http === null ? null : await serveEvents(served, ports.http);
  closing.add(() => http?.close());
  const rpc = ports.rpc === null ? null : await serveGrpc(served, ports.rpc);
  closing.add(() => rpc?.close());
  return { http, rpcPort: rpc?.port ?? null };
}

function wantedPorts({ httpPort, rpcHttpPort, rpcPort }: PipelineOptions): {
  readonly http: WantedPort | null;
  readonly rpc: WantedPort | null;
} {
  return {
    http: wanted(rpcHttpPort, '--rpc-http-port') ?? wanted(httpPort, '--http-port'),
    rpc: wanted(rpcPort, '--rpc-port'),
  };
}

function wanted(port: number | undefined, option: keyof typeof HOOK_VARIABLES): WantedPort | null {
  if (port === undefined) return null;
  const { env } = process;
  const isInHook = env[OUTPUT_VARIABLE] !== undefined;
  const isInherited = isInHook && env[HOOK_VARIABLES[option] ?? ''] === String(port);
  return { port, option, isInherited };
}

/** A variable of every Lifehook hook: if it is set, this process runs in a hook. */
const OUTPUT_VARIABLE = 'LIFEHOOK_OUTPUT';

/** The variables that give a hook the ports of its own pipeline. */
const HOOK_VARIABLES = {
  '--http-port': 'SKAFFOLD_HTTP_PORT',
  '--rpc-http-port': null,
  '--rpc-port': 'SKAFFOLD_RPC_PORT',
} as const;

function hostPlatform(): string {
  return `${goosOf(process.platform)}/${goarchOf(process.arch)}`;
}

/** Closes resources in the reverse order of their opening, each one even if another close fails. */
export class Closing implements AsyncDisposable {
  readonly #closers: (() => void | Promise<void>)[] = [];

  add(close: () => void | Promise<void>): void {
    this.#closers.push(close);
  }

  /** Closes everything; call it once. Rejects with the first error. */
  async [Symbol.asyncDispose](): Promise<void> {
    const errors: unknown[] = [];
    for (const close of this.#closers.splice(0).toReversed()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
