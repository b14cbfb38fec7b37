import type { CancelSignal } from './platform.ts';

/**
 * How `kube/` reaches one HTTP API: requests whose answers are streamed, and web sockets. Production
 * brings one over TLS, the local cluster one that calls its API server without a socket, and tests one
 * that breaks on purpose.
 *
 * A transport that cannot reach its server rejects with an `Error` that carries a POSIX `code`; an
 * answer with whatever status is not a failure here. Callers take it from the code whether anything can
 * have been sent: before there is a connection it is ECONNREFUSED, EHOSTUNREACH, ENOTFOUND and the like,
 * EPROTO where TLS was refused, EACCES where there were no credentials; ECONNRESET comes only afterwards.
 * EPROTONOSUPPORT: the server opened a web socket in none of the offered protocols.
 */
export interface HttpTransport {
  request(request: TransportRequest): Promise<TransportAnswer>;
  openSocket(request: SocketRequest): Promise<MessageSocket>;
  /** Ends every open answer and socket. */
  close(): void;
}

export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the server's root, with its query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Abort ends the request, also while the answer's body is read; the reader then gets a rejection. */
  readonly signal?: CancelSignal;
}

export interface TransportAnswer {
  readonly status: number;
  /** Names in lower case; several values of one name are joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Read once; who does not read it to its end leaves the loop, which drops the connection. What is not
   * read is not taken from the socket: a slow reader slows the server down. A body that ends early
   * (reset, truncated) rejects.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface SocketRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Offered in this order; the server picks one. */
  readonly protocols: readonly string[];
  readonly signal?: CancelSignal;
}

/** A refused upgrade: what the server answered instead. */
export class UpgradeRefused extends Error {
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`the server answered ${status} instead of opening a web socket`);
    this.name = 'UpgradeRefused';
    this.status = status;
    this.body = body;
  }
}

/** A web socket that carries binary messages, with back-pressure in both directions. */
export interface MessageSocket {
  /** What the server picked; '' if it picked none. */
  readonly protocol: string;
  /** Ends when the socket is closed in whatever way; read once. Not reading stops the peer. */
  readonly messages: AsyncIterable<Uint8Array>;
  /** Resolves when the message has left for the socket's peer; rejects when it is closed. */
  send(message: Uint8Array): Promise<void>;
  /** Resolves with the peer's pong; rejects when the socket closes before. */
  ping(): Promise<void>;
  /** Says goodbye, and drops the connection if the peer does not answer soon. */
  close(): void;
  /** Never rejects. `clean` tells whether the peer said goodbye; code 1006: the connection broke. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}
