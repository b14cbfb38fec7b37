/** Serves the events of a pipeline over HTTP and gRPC, on the loopback address. */
import type { EventApi } from '../../lifecycles/pipeline/events/api/api-service.ts';
import { eventService } from '../../lifecycles/pipeline/events/event-service.ts';
import type { EventStream } from '../../lifecycles/pipeline/events/event-stream.ts';
import { LifehookError } from '../../model/problem.ts';
import type { HttpServer } from '../../platform/http-server.ts';
import type { GrpcServer } from '../../platform/node-grpc-server.ts';
import { nodeHttpServer } from '../../platform/node-http-server.ts';
import { codeOf } from '../../platform/posix-error.ts';

export interface WantedPort {
  readonly port: number;
  /** The option that sets the port, such as "--rpc-port". */
  readonly option: string;
  /** True: the user did not set the port. It was inherited from the pipeline whose hook started this process. */
  readonly isInherited: boolean;
}

export async function serveGrpc({ events, api }: Served, wanted: WantedPort): Promise<GrpcServer> {
  const [{ nodeGrpcServer }, { apiMethods }] = await Promise.all([
    import('../../platform/node-grpc-server.ts'),
    import('../../lifecycles/pipeline/events/api/api-service.ts'),
  ]);
  return onPort(events, wanted, (at) => nodeGrpcServer(apiMethods(api), at));
}

interface Listening {
  readonly port: number;
}

export interface Served {
  readonly events: EventStream;
  readonly api: EventApi;
}

export function serveEvents({ events, api }: Served, wanted: WantedPort): Promise<HttpServer> {
  const service = eventService(events, api);
  return onPort(events, wanted, (at) => nodeHttpServer({ service, port: at }));
}

/**
 * Listens on the requested port. A port in use is a failure, because a reader of the events connects to that port. Only
 * an inherited port is replaced by any free one: the Lifehook that runs this process as a hook already listens there.
 */
async function onPort<T extends Listening>(
  events: EventStream,
  { port, option, isInherited }: WantedPort,
  listen: (port: number) => Promise<T>,
): Promise<T> {
  try {
    return await listen(port);
  } catch (error) {
    const code = codeOf(error);
    if (isInherited && code === 'EADDRINUSE') {
      const server = await listen(0);
      const message = `Port ${port} is taken; the events are served on port ${server.port} instead.`;
      events.emit({ type: 'Warning', code: 'LHL601', message });
      return server;
    }
    const why = code === null ? undefined : REFUSALS[code];
    if (why === undefined) throw error;
    throw new LifehookError({
      code: 'LHL605',
      message: `The events cannot be served on port ${port} of 127.0.0.1, which ${option} asks for: ${why}.`,
      next: `Name a free port with ${option}, or 0 for any free port.`,
    });
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there',
  EACCES: 'only root may listen there',
};
