import { makeMasker, type Masker, secretValues } from '../../../model/secrets.ts';
import type { HookRunContext } from '../hooks/run-context.ts';

/** For texts that are of no one hook: the logs of containers, messages. It follows what hooks set. */
export function sessionMasker({
  callerEnv,
  values,
}: Pick<HookRunContext, 'callerEnv' | 'values'>): Masker {
  return makeMasker(secretValues(callerEnv), () => values.secretValues());
}
