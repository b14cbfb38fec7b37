import type { MessageSocket } from './http-transport.ts';
import type { CancelSignal } from './platform.ts';

/** The handler of an HTTP server on this machine. None of its methods rejects. */
export interface HttpService {
  /**
   * Decides by the head of a request, before a byte of the body is read. An answer refuses the request; null: it goes
   * on.
   */
  refuse(head: RequestHead): HttpServiceAnswer | null;
  /** Whether the body consists of bytes; false: it is text in UTF-8. */
  isBinary(head: RequestHead): boolean;
  handle(request: HttpServiceRequest): Promise<HttpServiceAnswer>;
  upgrade(request: HttpServiceRequest): Promise<HttpServiceUpgrade>;
  tooLarge(limitBytes: number): HttpServiceAnswer;
}

export interface RequestHead {
  readonly method: string;
  /** The decoded path, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpServiceRequest extends RequestHead {
  /** The body as text; if `isBinary`, each character is one byte. */
  readonly body: string;
  /** Aborts when the client has disconnected, or the server closes. */
  readonly signal: CancelSignal;
}

export interface HttpServiceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A whole text, or pieces that are sent as they arrive, read no faster than the client reads them. */
  readonly body: string | AsyncIterable<string | Uint8Array>;
}

export type HttpServiceUpgrade =
  | { readonly kind: 'refused'; readonly answer: HttpServiceAnswer }
  | {
      readonly kind: 'accepted';
      /** One of the protocols that the client offered. */
      readonly protocol: string;
      /** Called with the open socket; resolves when the socket has been served completely. */
      serve(socket: MessageSocket): Promise<void>;
    };

export interface HttpServer {
  /** The URL of the server: "https://127.0.0.1:6443". */
  readonly url: string;
  readonly port: number;
  /**
   * Replaces the certificate and the key, both in PEM, for all later connections. Throws if they are invalid, or if the
   * server speaks plain HTTP.
   */
  renew(pair: { readonly certificate: string; readonly key: string }): void;
  /** Ends all streams, waits a short time for the other requests, then drops them. */
  close(): Promise<void>;
}

export function plainAnswer(status: number, text: string): HttpServiceAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` };
}
