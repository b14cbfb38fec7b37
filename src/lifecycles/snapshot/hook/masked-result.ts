/**
 * Masks the Secrets of a container in the result of a hook.
 *
 * They are read while the hook runs, within the timeout of its attempt: a longer wait would delay the thaw (SNAP-I5).
 */
import type { AttemptResult, Tail } from '../../../model/attempt.ts';
import { makeMasker } from '../../../model/secrets.ts';
import type { Timers } from '../../../platform/platform.ts';
import type { ContainerAccess } from '../context.ts';

export type Mask = (result: AttemptResult) => Promise<AttemptResult>;

export interface Masking {
  readonly access: Pick<ContainerAccess, 'secretsOf'>;
  readonly key: Parameters<NonNullable<ContainerAccess['secretsOf']>>[0];
  /** Timeout of the attempt, in milliseconds from now. */
  readonly timeoutMs: number;
  readonly timers: Pick<Timers, 'after'>;
}

/**
 * Starts to read the Secrets. The returned function waits for them, and leaves out output that cannot be masked in
 * time.
 */
export function maskSecretsOf({ access, key, timeoutMs, timers }: Masking): Mask {
  const reading = access.secretsOf?.(key);
  if (reading === undefined) return (result) => Promise.resolve(result);
  let callOff = (): void => {};
  const late = new Promise<null>((resolve) => {
    callOff = timers.after(Math.max(0, timeoutMs), () => {
      resolve(null);
    });
  });
  const known = Promise.race([reading, late]).finally(() => {
    callOff();
  });
  return async (result) => {
    const secrets = await known;
    if (secrets === null) return withoutOutput(result);
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

function withoutOutput(result: AttemptResult): AttemptResult {
  const { stdout, stderr } = result;
  const note = '(left out: the Secrets of its container could not be read in time, to be masked)';
  const without = ({ text, totalBytes }: Tail): Tail => ({
    text: text === '' ? '' : note,
    totalBytes,
  });
  return { ...result, stdout: without(stdout), stderr: without(stderr) };
}
