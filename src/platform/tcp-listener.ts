import type { CancelSignal } from './platform.ts';

/**
 * Listening for TCP connections and passing each on to another address: what a Service is on one
 * machine. Separate from `Network`, whose users only ever call out.
 */
export interface TcpForwarding {
  /**
   * Rejects when the address cannot be listened on (EADDRINUSE, EADDRNOTAVAIL). `target` is asked once
   * per connection; null: nobody is there, and the connection is reset, as a service without endpoints
   * refuses it.
   */
  forward(from: TcpAddress, target: () => TcpAddress | null): Promise<TcpForwarder>;
}

export interface TcpAddress {
  readonly host: string;
  readonly port: number;
}

export interface TcpForwarder {
  /** Takes no more connections; those that are open go on to their own end. */
  stopListening(): Promise<void>;
  /** Resets those that are still open. */
  closeConnections(): void;
}

/** One connection to a program, as bytes in both directions with back-pressure. */
export interface TcpConnecting {
  connect(to: TcpAddress, signal: CancelSignal): Promise<TcpConnection>;
}

export interface TcpConnection {
  /** Ends when the peer has closed its side; rejects when the connection breaks. Not reading stops it. */
  readonly received: AsyncIterable<Uint8Array>;
  /** Resolves when it was taken. */
  write(bytes: Uint8Array): Promise<void>;
  /** Tells the peer that nothing more comes; what it says is still received. */
  endWriting(): void;
  close(): void;
}

/** Taking connections in. */
export interface TcpListening {
  /**
   * Rejects when the address cannot be listened on (EADDRINUSE, EACCES, EADDRNOTAVAIL). Port 0: any that is free. Who
   * is called owns the connection.
   */
  listen(at: TcpAddress, serve: (connection: AcceptedConnection) => void): Promise<TcpListener>;
}

export interface AcceptedConnection extends TcpConnection {
  /** Tells the peer that it failed, where `close` tells it that all is said. */
  reset(): void;
}

export interface TcpListener {
  /** The one that it is in fact. */
  readonly port: number;
  /** Takes no more connections, and resets those that are open. */
  close(): Promise<void>;
}
