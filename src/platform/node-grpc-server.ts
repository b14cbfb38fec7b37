/**
 * A gRPC server on the loopback address. It ignores the messages of requests, since no method needs them. It speaks
 * HTTP/2 without TLS, as its clients on the same machine do.
 */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';

import type { CancelSignal } from './platform.ts';

export type GrpcAnswers = (signal: CancelSignal) => AsyncIterable<Uint8Array>;

export interface GrpcServer {
  readonly port: number;
  /** Closes every stream. */
  close(): Promise<void>;
}

const MAX_SESSIONS = 100;
const MAX_STREAMS = 100;
const PREFIX_BYTES = 5;
const OK = '0';
const INTERNAL = '13';
const UNIMPLEMENTED = '12';

/** Rejects with EADDRINUSE if the port is in use. Port 0 means any free port. */
export async function nodeGrpcServer(
  methods: ReadonlyMap<string, GrpcAnswers>,
  port: number,
): Promise<GrpcServer> {
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer({ settings: { maxConcurrentStreams: MAX_STREAMS } });
  server.on('session', (session) => {
    if (sessions.size >= MAX_SESSIONS) {
      session.destroy();
      return;
    }
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.on('error', () => undefined);
  });
  server.on('stream', (stream, headers) => {
    void answer(stream, headers, methods);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: async () => {
      const closed = new Promise<void>((done) => {
        server.close(() => {
          done();
        });
      });
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
}

async function answer(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  methods: ReadonlyMap<string, GrpcAnswers>,
): Promise<void> {
  stream.on('error', () => undefined);
  stream.resume();
  const type = { ':status': 200, 'content-type': 'application/grpc' };
  const method = methods.get(headers[':path'] ?? '');
  if (method === undefined) {
    const message = `unknown method ${headers[':path'] ?? ''}`;
    const end = { 'grpc-status': UNIMPLEMENTED, 'grpc-message': encodeURIComponent(message) };
    stream.respond({ ...type, ...end }, { endStream: true });
    return;
  }
  const closed = new AbortController();
  stream.once('close', () => {
    closed.abort();
  });
  const trailers = { 'grpc-status': OK };
  stream.respond(type, { waitForTrailers: true });
  stream.once('wantTrailers', () => {
    stream.sendTrailers(trailers);
  });
  try {
    for await (const message of method(closed.signal)) {
      if (stream.destroyed) return;
      if (!stream.write(framed(message))) await once(stream, 'drain', { signal: closed.signal });
    }
  } catch {
    trailers['grpc-status'] = INTERNAL;
  }
  if (!stream.destroyed) stream.end();
}

/** The message as an uncompressed gRPC frame, with its length in front. */
function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}
