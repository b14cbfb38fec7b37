/** Shared by the readers of both schemas: their result, and the required properties. */
import type { Problem } from '../../../model/problem.ts';
import type { HookFile } from './hook-file.ts';
import type { Decoder } from './json-fields.ts';

/** A file's content, without its location. */
export type HookParts = Pick<HookFile, 'schema' | 'hook' | 'when' | 'stages'>;

/** The list may be empty: such a file loads and is never injected. */
export function requireStages(
  decoder: Decoder,
  stages: string[] | undefined,
): string[] | undefined {
  if (stages === undefined) decoder.problems.push(missing(decoder, 'stages'));
  return stages;
}

export function missing(decoder: Decoder, property: string): Problem {
  return {
    code: 'LHC104',
    severity: 'error',
    message: `The property "${property}" is required and is not given.`,
    at: decoder.positions[''] ?? decoder.locate(0),
    next: `Add "${property}".`,
  };
}
