import type { CancelSignal } from './platform.ts';

/**
 * The interface of `kube/` to one HTTP API: requests with streamed answers, and web sockets. Production uses TLS, the
 * local cluster calls its API server without a socket, and tests inject failures.
 *
 * A transport that cannot reach its server rejects with an `Error` that has a POSIX `code`; an answer with any status
 * is not a failure here. The code shows callers whether anything can have been sent. Without a connection it is
 * ECONNREFUSED, EHOSTUNREACH, ENOTFOUND and the like, EPROTO if TLS was refused, or EACCES if there were no
 * credentials. ECONNRESET occurs only when there was a connection. EPROTONOSUPPORT: the server opened a web socket with
 * none of the offered protocols.
 */
export interface HttpTransport {
  request(request: TransportRequest): Promise<TransportAnswer>;
  openSocket(request: SocketRequest): Promise<MessageSocket>;
  /** Closes every open answer and socket. */
  close(): void;
}

export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path from the server's root, with its query. */
  readonly path: string;
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Abort cancels the request, also while the answer's body is read; then the read rejects. */
  readonly signal?: CancelSignal;
}

export interface TransportAnswer {
  readonly status: number;
  /** Headers by their names in lower case; several values of one name are joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The body can be read once; leaving the loop early drops the connection. A slow reader slows the server down, since
   * bytes are taken from the socket only when they are read. A body that ends early (reset, truncated) rejects.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface SocketRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Protocols that are offered, in this order; the server picks one. */
  readonly protocols: readonly string[];
  readonly signal?: CancelSignal;
}

/** The server has rejected an upgrade; the error contains its answer. */
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
  /** The protocol that the server has chosen; '' if it chose none. */
  readonly protocol: string;
  /**
   * The received messages, which can be read once; they end when the socket is closed for any reason. While they are
   * not read, the peer cannot send.
   */
  readonly messages: AsyncIterable<Uint8Array>;
  /** Resolves when the message was sent to the peer; rejects if the socket is closed. */
  send(message: Uint8Array): Promise<void>;
  /** Resolves with the peer's pong; rejects if the socket closes before. */
  ping(): Promise<void>;
  /** Sends a close frame, and drops the connection if the peer does not answer soon. */
  close(): void;
  /** Resolves when the socket is closed; never rejects. Code 1006: the connection broke without a close frame. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}
