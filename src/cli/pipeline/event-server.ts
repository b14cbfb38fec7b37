/** The events of a pipeline over HTTP, on the loopback address. */
import { eventService } from '../../lifecycles/pipeline/events/event-service.ts';
import type { EventStream } from '../../lifecycles/pipeline/events/event-stream.ts';
import type { HttpServer } from '../../platform/http-server.ts';
import { nodeHttpServer } from '../../platform/node-http-server.ts';
import { codeOf } from '../../platform/posix-error.ts';

/**
 * On the port that was asked for, or, where that is taken, on any that is free: a pipeline that a hook of another one
 * starts finds that one's port in its environment.
 */
export async function serveEvents(events: EventStream, port: number): Promise<HttpServer> {
  const service = eventService(events);
  try {
    return await nodeHttpServer({ service, port });
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    const server = await nodeHttpServer({ service, port: 0 });
    const message = `Port ${port} is taken; the events are served on port ${server.port} instead.`;
    events.tell({ type: 'Warning', code: 'LHL601', message });
    return server;
  }
}
