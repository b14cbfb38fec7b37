/** Why a webhook could not be asked, in the words of a real API server, which are those of its clients. */
import { isObject, textAt } from '../../../../../src/kube/fields.ts';
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { codeOf } from '../../../../../src/platform/posix-error.ts';
import type { WebhookAnswer } from '../../../../../src/platform/webhook-call.ts';

export function connectFailure(error: unknown, url: string): string {
  const { hostname, host, port } = new URL(url);
  const address = port === '' ? `${host}:443` : host;
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error) ?? '';
  const unverified = certificateFault(code, message);
  if (unverified !== undefined) return `tls: failed to verify certificate: x509: ${unverified}`;
  switch (code) {
    case 'ECONNREFUSED':
      return `dial tcp ${address}: connect: connection refused`;
    case 'EHOSTUNREACH':
      return `dial tcp ${address}: connect: no route to host`;
    case 'ENOTFOUND':
      return `dial tcp: lookup ${hostname}: no such host`;
    case 'ECONNRESET':
      return 'EOF';
    default:
      return message;
  }
}

function certificateFault(code: string, message: string): string | undefined {
  if (UNKNOWN_AUTHORITY.has(code)) return 'certificate signed by unknown authority';
  if (EXPIRED.has(code)) return `certificate has expired or is not yet valid: ${message}`;
  if (code !== 'ERR_TLS_CERT_ALTNAME_INVALID') return undefined;
  return `certificate is not valid for this host: ${message}`;
}

const EXPIRED: ReadonlySet<string> = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const FIRST_SUCCESS = 200;
const LAST_SUCCESS = 206;

/** Undefined: it succeeded. A redirect is a failure. */
export function statusFailure({ status, body }: WebhookAnswer): string | undefined {
  if (status >= FIRST_SUCCESS && status <= LAST_SUCCESS) return undefined;
  const told = statusMessage(body);
  if (told !== '') return told;
  const known = MESSAGES[status];
  if (known !== undefined) return known;
  if (status < 500) {
    return `the server responded with the status code ${status} but did not return more information`;
  }
  const text = JSON.stringify(body.trim().slice(0, MAX_TOLD_CHARS) || 'unknown');
  return `an error on the server (${text}) has prevented the request from succeeding`;
}

/** Of what a webhook says instead of an answer. */
const MAX_TOLD_CHARS = 2_048;

const MESSAGES: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

/** A Status object speaks for itself. */
function statusMessage(body: string): string {
  try {
    const value = JSON.parse(body) as JsonObject;
    if (!isObject(value) || textAt(value, 'kind') !== 'Status') return '';
    return textAt(value, 'message').slice(0, MAX_TOLD_CHARS);
  } catch {
    return '';
  }
}
