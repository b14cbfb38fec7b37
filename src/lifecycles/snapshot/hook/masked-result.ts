/**
 * The result of a hook with the Secrets of its container masked. They are read while the hook runs, so that neither a
 * freeze nor a thaw waits for them.
 */
import type { AttemptResult, Tail } from '../../../model/attempt.ts';
import { makeMasker } from '../../../model/secrets.ts';
import type { ContainerAccess } from '../context.ts';

export type Mask = (result: AttemptResult) => Promise<AttemptResult>;

/** Begins to read; the function that comes back waits for it, 2 s at most. */
export function maskSecretsOf(
  { secretsOf }: Pick<ContainerAccess, 'secretsOf'>,
  key: Parameters<NonNullable<ContainerAccess['secretsOf']>>[0],
): Mask {
  const reading = secretsOf?.(key) ?? Promise.resolve([]);
  return async (result) => {
    const secrets = await reading;
    if (secrets.length === 0) return result;
    const masker = makeMasker(secrets);
    const masked = ({ text, totalBytes }: Tail): Tail => ({ text: masker.text(text), totalBytes });
    return {
      ...result,
      stdout: masked(result.stdout),
      stderr: masked(result.stderr),
      reason: masker.text(result.reason),
    };
  };
}
