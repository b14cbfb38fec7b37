/** Merges the environment of a host hook from its sources. Pure. */
import type { Contract } from './contract.ts';

export interface EnvironmentParts {
  /** The environment of the process that runs Lifehook. */
  readonly caller: Readonly<Record<string, string>>;
  /** Values of earlier hooks. */
  readonly values: Readonly<Record<string, string>>;
  /** Variables of the hook itself, from lifehook.yaml. */
  readonly own: Readonly<Record<string, string>>;
  readonly contract: Pick<Contract, 'set' | 'unset'>;
  /** skaffold appends the caller's variables last, so that they win. */
  readonly compat: boolean;
}

/**
 * Later sources override earlier ones: the caller, values of hooks, the hook's own, the contract (PIPE-CASE16).
 *
 * Worked example: the caller has SKAFFOLD_IMAGE=evil and A=1, a value is A=2, the contract has SKAFFOLD_IMAGE=web:v1:
 * the hook sees A=2 and SKAFFOLD_IMAGE=web:v1; in compat A=2 and SKAFFOLD_IMAGE=evil.
 */
export function hookEnvironment(parts: EnvironmentParts): Record<string, string> {
  const { caller, values, own, contract, compat } = parts;
  if (compat) return { ...contract.set, ...caller, ...values, ...own };
  const environment = { ...caller, ...values, ...own };
  for (const name of contract.unset) delete environment[name];
  return Object.assign(environment, contract.set);
}
