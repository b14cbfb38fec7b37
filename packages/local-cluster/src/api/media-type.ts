/** Negotiates the format of a response: plain JSON, a Table, or metadata alone. */
import { StatusError } from './status.ts';

export type Shape = 'object' | 'table' | 'metadata';

export interface Accepted {
  readonly shape: Shape;
  /** Version of meta.k8s.io that the client asks for, such as "v1". */
  readonly version: string;
  /** The kind that the client asks for, such as Table; '' for plain JSON. */
  readonly as: string;
}

/** Maximum number of entries of an Accept header that are read. */
const MAX_ENTRIES = 50;

const SHAPES: Readonly<Record<string, Shape>> = {
  Table: 'table',
  PartialObjectMetadata: 'metadata',
  PartialObjectMetadataList: 'metadata',
};

/** Reads the Accept header. The entry with the highest quality value wins; among equals, the first. */
export function negotiate(header: string | undefined): Accepted {
  if (header === undefined || header.trim() === '')
    return { shape: 'object', version: 'v1', as: '' };
  for (const entry of readAccept(header)) {
    const accepted = acceptedBy(entry);
    if (accepted !== null) return accepted;
  }
  throw notAcceptable();
}

export interface AcceptEntry {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export function readAccept(header: string): AcceptEntry[] {
  const entries = header
    .split(',')
    .slice(0, MAX_ENTRIES)
    .map((text) => {
      const [type = '', ...rest] = text.split(';').map((part) => part.trim());
      const pairs = rest.map((part) => part.split('=', 2));
      const parameters = Object.fromEntries(
        pairs.map(([key = '', value = '']) => [key.trim(), value.trim().replaceAll('"', '')]),
      );
      return { type: type.toLowerCase(), parameters };
    });
  return entries.toSorted((a, b) => qualityOf(b) - qualityOf(a));
}

function qualityOf({ parameters }: AcceptEntry): number {
  const quality = Number(parameters['q'] ?? '1');
  return Number.isFinite(quality) ? quality : 0;
}

function acceptedBy({ type, parameters }: AcceptEntry): Accepted | null {
  if (!['application/json', 'application/*', '*/*'].includes(type)) return null;
  const { as = '', v: version = 'v1', g: group } = parameters;
  if (as === '') return { shape: 'object', version, as };
  const shape = SHAPES[as];
  const known = group === 'meta.k8s.io' && (version === 'v1' || version === 'v1beta1');
  return shape === undefined || !known ? null : { shape, version, as };
}

const ANY =
  '406: Not Acceptable\n\nAvailable representations: ' +
  'application/json, application/yaml, application/vnd.kubernetes.protobuf';

export function notAcceptable(message: string = ANY): StatusError {
  const failure = { code: 406, reason: 'NotAcceptable', message };
  return new StatusError(message === ANY ? { ...failure, details: {} } : failure);
}

export function unsupportedMediaType(): StatusError {
  const message = '415: Unsupported Media Type';
  return new StatusError({ code: 415, reason: 'UnsupportedMediaType', message, details: {} });
}

/** Returns the media type without parameters: "application/json" for "application/json; charset=utf-8". */
export function bareType(contentType: string | undefined): string {
  return (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}
