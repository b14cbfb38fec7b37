import type { MessageSocket } from './http-transport.ts';
import type { CancelSignal } from './platform.ts';

/** What an HTTP server on this machine calls for each request. None of its methods rejects. */
export interface HttpService {
  /** By the head alone, before a byte of the body is read: an answer ends the request. */
  refuse(head: RequestHead): HttpServiceAnswer | null;
  /** Whether the body is bytes, not text in UTF-8. */
  isBinary(head: RequestHead): boolean;
  handle(request: HttpServiceRequest): Promise<HttpServiceAnswer>;
  upgrade(request: HttpServiceRequest): Promise<HttpServiceUpgrade>;
  /** The body is longer than it may be. */
  tooLarge(limitBytes: number): HttpServiceAnswer;
}

export interface RequestHead {
  readonly method: string;
  /** Decoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpServiceRequest extends RequestHead {
  /** Text; of what `isBinary` each character is one byte. */
  readonly body: string;
  /** Aborts when the caller is gone, or the server closes. */
  readonly signal: CancelSignal;
}

export interface HttpServiceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text at once, or pieces as they come, taken no faster than the caller takes them. */
  readonly body: string | AsyncIterable<string | Uint8Array>;
}

export type HttpServiceUpgrade =
  | { readonly kind: 'refused'; readonly answer: HttpServiceAnswer }
  | {
      readonly kind: 'accepted';
      /** One of those the caller offered. */
      readonly protocol: string;
      /** Called with the open socket; resolves when it has been served to its end. */
      serve(socket: MessageSocket): Promise<void>;
    };

export interface HttpServer {
  /** Where it listens: "https://127.0.0.1:6443". */
  readonly url: string;
  readonly port: number;
  /** PEM, both: shown from the next connection on. Throws where they are none, or it serves plain HTTP. */
  renew(pair: { readonly certificate: string; readonly key: string }): void;
  /** Ends what streams, lets the rest finish for a moment, then drops it. */
  close(): Promise<void>;
}

export function plainAnswer(status: number, text: string): HttpServiceAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` };
}
