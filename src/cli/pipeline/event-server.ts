/** The events of a pipeline over HTTP and gRPC, on the loopback address. */
import type { EventApi } from '../../lifecycles/pipeline/events/api/api-service.ts';
import { eventService } from '../../lifecycles/pipeline/events/event-service.ts';
import type { EventStream } from '../../lifecycles/pipeline/events/event-stream.ts';
import type { HttpServer } from '../../platform/http-server.ts';
import type { GrpcServer } from '../../platform/node-grpc-server.ts';
import { nodeHttpServer } from '../../platform/node-http-server.ts';
import { codeOf } from '../../platform/posix-error.ts';

export async function serveGrpc({ events, api }: Served, port: number): Promise<GrpcServer> {
  const [{ nodeGrpcServer }, { apiMethods }] = await Promise.all([
    import('../../platform/node-grpc-server.ts'),
    import('../../lifecycles/pipeline/events/api/api-methods.ts'),
  ]);
  return onFreePort(events, port, (at) => nodeGrpcServer(apiMethods(api), at));
}

interface Listening {
  readonly port: number;
}

export interface Served {
  readonly events: EventStream;
  readonly api: EventApi;
}

export function serveEvents({ events, api }: Served, port: number): Promise<HttpServer> {
  const service = eventService(events, api);
  return onFreePort(events, port, (at) => nodeHttpServer({ service, port: at }));
}

/**
 * On the port that was asked for, or, where that is taken, on any that is free: a pipeline that a hook of another one
 * starts finds that one's port in its environment.
 */
export async function onFreePort<T extends Listening>(
  events: EventStream,
  port: number,
  listen: (port: number) => Promise<T>,
): Promise<T> {
  try {
    return await listen(port);
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    const server = await listen(0);
    const message = `Port ${port} is taken; the events are served on port ${server.port} instead.`;
    events.tell({ type: 'Warning', code: 'LHL601', message });
    return server;
  }
}
