/** The request of an API server to a webhook, and the answer (`admission.k8s.io/v1`). */
import { isObject } from '../../kube/fields.ts';
import type { Json, JsonObject } from '../../kube/object.ts';
import { textStart } from '../../model/cut-text.ts';
import type { Author } from './author.ts';

/** The fields that we read. */
export interface AdmissionReview {
  readonly apiVersion: typeof VERSION;
  readonly kind: string;
  readonly request: AdmissionRequest;
}

export interface AdmissionRequest {
  readonly uid: string;
  readonly kind: { readonly group: string; readonly kind: string };
  /** The subresource of the request; '' or absent: the request is for the object itself. */
  readonly subResource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly operation: string;
  readonly object: JsonObject | null;
  readonly oldObject?: JsonObject | null;
  /** True: nothing is stored, so the webhook must have no effect. */
  readonly dryRun?: boolean;
  /** The author of the write; every server sends it. */
  readonly userInfo?: Author;
}

export interface Verdict {
  readonly allowed: boolean;
  /** The reason of a denial. */
  readonly status?: AdmissionStatus;
  /** Warnings for the author; cut to the limits of the server. */
  readonly warnings?: readonly string[];
  /** A JSON patch that changes the object. */
  readonly patch?: readonly { readonly op: string; readonly path: string; readonly value?: Json }[];
}

export const ALLOWED: Verdict = { allowed: true };

/** The format in which an API server itself answers. Without a code, a denial has the code 400. */
export interface AdmissionStatus {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: {
    readonly name: string;
    readonly group: string;
    readonly kind: string;
    readonly causes: readonly Cause[];
  };
}

export interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

export interface AdmissionAnswer {
  readonly apiVersion: string;
  readonly kind: 'AdmissionReview';
  readonly response: AdmissionResponse;
}

export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: AdmissionStatus;
  readonly warnings?: readonly string[];
  /** The JSON patch in base64. */
  readonly patch?: string;
  readonly patchType?: 'JSONPatch';
}

/** null: the body is not an AdmissionReview. */
export function readReview(body: string): AdmissionReview | null {
  const read = parsed(body);
  if (!isObject(read) || read['apiVersion'] !== VERSION) return null;
  const { request } = read;
  if (!isObject(request) || typeof request['uid'] !== 'string') return null;
  const { kind, object = null, oldObject = null } = request;
  const whole = isObject(kind) && isObjectOrNull(object) && isObjectOrNull(oldObject);
  return whole ? (read as unknown as AdmissionReview) : null;
}

export function answerOf(
  { apiVersion, request: { uid } }: AdmissionReview,
  { allowed, status, warnings = [], patch = [] }: Verdict,
): AdmissionAnswer {
  const response: AdmissionResponse = {
    uid,
    allowed,
    ...(status === undefined ? {} : { status }),
    ...(warnings.length === 0 ? {} : { warnings: bounded(warnings) }),
    ...(patch.length === 0 ? {} : { patch: btoa(ascii(patch)), patchType: 'JSONPatch' }),
  };
  return { apiVersion, kind: 'AdmissionReview', response };
}

const VERSION = 'admission.k8s.io/v1';

/** The server cuts or drops warnings above 256 characters each, or 4096 in all. */
const WARNING_CHARACTERS_MAX = 256;
const WARNINGS_MAX = 16;

function bounded(warnings: readonly string[]): string[] {
  return warnings
    .slice(0, WARNINGS_MAX)
    .map((text) =>
      text.length > WARNING_CHARACTERS_MAX
        ? `${textStart(text, WARNING_CHARACTERS_MAX - 1)}…`
        : text,
    );
}

/** JSON in ASCII, which base64 can encode character by character. */
function ascii(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u0080-\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function isObjectOrNull(value: unknown): boolean {
  return value === null || isObject(value);
}
