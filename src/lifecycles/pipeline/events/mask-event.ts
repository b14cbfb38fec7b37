import type { Masker } from '../../../model/secrets.ts';

/** Masks the texts of an event that may quote the output of a program. */
export function maskEvent<E extends object>(event: E, masker: Pick<Masker, 'text'>): E {
  const { line, message } = event as { readonly line?: unknown; readonly message?: unknown };
  return {
    ...event,
    ...(typeof line === 'string' ? { line: masker.text(line) } : {}),
    ...(typeof message === 'string' ? { message: masker.text(message) } : {}),
  };
}
