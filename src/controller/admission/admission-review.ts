/** What an API server asks a webhook, and what it is answered (`admission.k8s.io/v1`). */
import { isObject } from '../../kube/fields.ts';
import type { Json, JsonObject } from '../../kube/object.ts';
import type { Author } from './author.ts';

/** The part that is read. */
export interface AdmissionReview {
  readonly apiVersion: typeof VERSION;
  readonly kind: string;
  readonly request: AdmissionRequest;
}

export interface AdmissionRequest {
  readonly uid: string;
  readonly kind: { readonly group: string; readonly kind: string };
  /** '' or absent: of the object itself. */
  readonly subResource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly operation: string;
  readonly object: JsonObject | null;
  readonly oldObject?: JsonObject | null;
  /** Who writes it; every server says so. */
  readonly userInfo?: Author;
}

export interface Verdict {
  readonly allowed: boolean;
  /** Why not. */
  readonly status?: AdmissionStatus;
  /** For whoever writes; cut to what servers pass on. */
  readonly warnings?: readonly string[];
  /** A JSON patch: what becomes of the object. */
  readonly patch?: readonly { readonly op: string; readonly path: string; readonly value?: Json }[];
}

export const ALLOWED: Verdict = { allowed: true };

/** As an API server answers itself. Without a code a denial is 400. */
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
  /** Base64. */
  readonly patch?: string;
  readonly patchType?: 'JSONPatch';
}

/** null: it is none. */
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

/** What a server cuts or drops: more than 256 characters of one, 4096 of all (its limits). */
const WARNING_CHARACTERS_MAX = 256;
const WARNINGS_MAX = 16;

function bounded(warnings: readonly string[]): string[] {
  return warnings
    .slice(0, WARNINGS_MAX)
    .map((text) =>
      text.length > WARNING_CHARACTERS_MAX ? `${text.slice(0, WARNING_CHARACTERS_MAX - 1)}…` : text,
    );
}

/** JSON that base64 can take character by character. */
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
