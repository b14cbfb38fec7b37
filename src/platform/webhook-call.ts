import type { CancelSignal } from './platform.ts';

/**
 * How the API server asks a webhook: one POST of JSON over TLS, no redirect followed, the answer read to
 * its end within a limit. Connections are kept for the next call.
 *
 * Rejects with an `Error` that carries a code: a POSIX one (ECONNREFUSED, ECONNRESET, ECANCELED when it
 * was called off, EMSGSIZE when the answer is too long), or the one that TLS has for a certificate.
 */
export interface WebhookCall {
  post(request: WebhookRequest): Promise<WebhookAnswer>;
  /** Ends every connection. */
  close(): void;
}

export interface WebhookRequest {
  /** https only; its host is what the certificate has to stand for. */
  readonly url: string;
  /** Where to connect instead of the URL's host; null: there. */
  readonly connectTo: { readonly host: string; readonly port: number } | null;
  /** PEM; '': the authorities that the platform knows. */
  readonly authority: string;
  readonly body: string;
  readonly answerLimitBytes: number;
  readonly signal: CancelSignal;
}

export interface WebhookAnswer {
  readonly status: number;
  /** UTF-8. */
  readonly body: string;
}
