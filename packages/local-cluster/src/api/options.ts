/** Reads the query of a request as typed options. Errors have the texts of a real API server. */
import type { FieldError } from '../objects/field-error.ts';
import { isTrue } from './request-info.ts';
import { badRequest, invalid } from './status.ts';

export interface WriteOptions {
  readonly dryRun: boolean;
  /** Field manager; '' if none is set: then the name of the user agent is used. */
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** True if an apply takes over fields of other managers; false for other writes. */
  readonly force: boolean;
}

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';
type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

const MAX_FIELD_MANAGER = 128;

export function writeOptions(
  query: URLSearchParams,
  kind: OptionsKind,
  how: 'apply' | 'other' = 'other',
): WriteOptions {
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  const errors = [
    ...(how === 'apply' && fieldManager === '' ? [managerRequired] : []),
    ...(how === 'other' && kind === 'PatchOptions' && query.has('force') ? [forceForbidden] : []),
    ...fieldManagerErrors(fieldManager),
    ...dryRunErrors(query.getAll('dryRun')),
    ...fieldValidationErrors(fieldValidation),
  ];
  refuse(kind, errors);
  return {
    dryRun: query.getAll('dryRun').includes('All'),
    fieldManager,
    fieldValidation: isFieldValidation(fieldValidation) ? fieldValidation : 'Warn',
    force: isTrue(query.get('force')),
  };
}

const managerRequired: FieldError = {
  type: 'Required',
  field: 'fieldManager',
  detail: 'is required for apply patch',
};

const forceForbidden: FieldError = {
  type: 'Forbidden',
  field: 'force',
  detail: 'may not be specified for non-apply patch',
};

function fieldManagerErrors(name: string): FieldError[] {
  if (new TextEncoder().encode(name).length > MAX_FIELD_MANAGER) {
    const detail = `may not be more than ${MAX_FIELD_MANAGER} bytes`;
    return [{ type: 'TooLong', field: 'fieldManager', detail }];
  }
  const found = /\p{Cc}/u.exec(name);
  if (found === null) return [];
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const detail = `invalid character U+${code} (at position ${found.index})`;
  return [{ type: 'Invalid', field: 'fieldManager', value: name, detail }];
}

export function dryRunErrors(values: readonly string[]): FieldError[] {
  if (values.every((value) => value === 'All')) return [];
  const detail = 'supported values: "All"';
  return [{ type: 'NotSupported', field: 'dryRun', value: [...values], detail }];
}

function fieldValidationErrors(value: string): FieldError[] {
  if (value === '' || isFieldValidation(value)) return [];
  const detail = 'supported values: "", "Ignore", "Strict", "Warn"';
  return [{ type: 'NotSupported', field: 'fieldValidation', value, detail }];
}

function isFieldValidation(value: string): value is FieldValidation {
  return ['Ignore', 'Warn', 'Strict'].includes(value);
}

/** Throws if `errors` is not empty. */
export function refuse(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors);
}

/** Reads a whole number from the query; undefined if the query has none. */
export function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`);
}
