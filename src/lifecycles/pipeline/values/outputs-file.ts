/**
 * The file that LIFEHOOK_OUTPUT names: one JSON object of typed outputs, for templates (`{{ .hooks.build.port }}`). They
 * are no variables: a hook's outputs never reach an environment by themselves. Pure.
 */
export type OutputValue =
  | string
  | number
  | boolean
  | null
  | readonly OutputValue[]
  | { readonly [name: string]: OutputValue };

export type Outputs = Readonly<Record<string, OutputValue>>;

export type ReadOutputs =
  | { readonly kind: 'read'; readonly outputs: Outputs }
  | { readonly kind: 'refused'; readonly reason: string };

/** Of one file, in bytes. */
export const MAX_OUTPUT_FILE_BYTES = 1_048_576;

/** An empty file is a hook that had nothing to say. */
export function readOutputsFile(text: string): ReadOutputs {
  if (text.trim() === '') return { kind: 'read', outputs: {} };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // Not the parser's own words: they quote the text, which may hold a secret.
    return { kind: 'refused', reason: 'it is not JSON' };
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return { kind: 'refused', reason: 'it has to be one JSON object' };
  }
  return { kind: 'read', outputs: parsed as Outputs };
}
