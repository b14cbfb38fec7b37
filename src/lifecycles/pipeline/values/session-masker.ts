import { makeMasker, type Masker, secretValues } from '../../../model/secrets.ts';
import type { HookRunContext } from '../hooks/run-context.ts';
import type { ContainerTarget } from '../hooks/select-containers.ts';

/** For texts that are of no one hook, such as messages. It follows what hooks set. */
export function sessionMasker({
  callerEnv,
  values,
}: Pick<HookRunContext, 'callerEnv' | 'values'>): Masker {
  return makeMasker(secretValues(callerEnv), () => values.secretValues());
}

/** For the log of a container: also the values of the Secrets that it is given. Never rejects. */
export async function containerMasker(
  { callerEnv, values, cluster }: Pick<HookRunContext, 'callerEnv' | 'values' | 'cluster'>,
  target: ContainerTarget,
): Promise<Masker> {
  const given = (await cluster?.secretsOf?.(target)) ?? [];
  return makeMasker([...secretValues(callerEnv), ...given], () => values.secretValues());
}
