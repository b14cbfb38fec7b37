import { makeMasker, type Masker, secretValues } from '../../../model/secrets.ts';
import type { HookRunContext } from '../hooks/run-context.ts';
import type { ContainerTarget } from '../hooks/select-containers.ts';

/** For texts without a hook, such as messages. It includes values that hooks set later. */
export function sessionMasker({
  callerEnv,
  values,
}: Pick<HookRunContext, 'callerEnv' | 'values'>): Masker {
  return makeMasker(secretValues(callerEnv), () => values.secretValues());
}

/** For the log of a container: also masks the values of the container's Secrets. Never rejects. */
export async function containerMasker(
  { callerEnv, values, cluster }: Pick<HookRunContext, 'callerEnv' | 'values' | 'cluster'>,
  target: ContainerTarget,
): Promise<Masker> {
  const given = (await cluster?.secretsOf?.(target)) ?? [];
  return makeMasker([...secretValues(callerEnv), ...given], () => values.secretValues());
}
