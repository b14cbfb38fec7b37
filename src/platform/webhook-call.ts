import type { CancelSignal } from './platform.ts';

/**
 * The API server's call of a webhook: one POST of JSON over TLS, without redirects, with a bounded answer. Connections
 * are kept for the next call.
 *
 * Rejects with an `Error` that has a code: a TLS code if the certificate is refused, else a POSIX code. It is ECANCELED
 * if the call was aborted, EMSGSIZE if the answer is too long, or ECONNREFUSED, ECONNRESET and the like.
 */
export interface WebhookCall {
  post(request: WebhookRequest): Promise<WebhookAnswer>;
  /** Closes every connection. */
  close(): void;
}

export interface WebhookRequest {
  /** An https URL; its host has to be in the certificate of the server. */
  readonly url: string;
  /** Address to connect to in place of the URL's host; null: connect to the URL's host. */
  readonly connectTo: { readonly host: string; readonly port: number } | null;
  /** The CAs that are trusted, in PEM; '': the CAs of the platform. */
  readonly authority: string;
  readonly body: string;
  readonly answerLimitBytes: number;
  readonly signal: CancelSignal;
}

export interface WebhookAnswer {
  readonly status: number;
  /** The body as text; it is sent in UTF-8. */
  readonly body: string;
}
