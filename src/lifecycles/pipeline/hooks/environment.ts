/** Which of several says what a variable is: the one environment of a host hook. Pure. */
import type { Contract } from './contract.ts';

export interface EnvironmentParts {
  /** Of the process that runs Lifehook. */
  readonly caller: Readonly<Record<string, string>>;
  /** From earlier hooks. */
  readonly values: Readonly<Record<string, string>>;
  /** Of the hook itself, from lifehook.yaml. */
  readonly own: Readonly<Record<string, string>>;
  readonly contract: Pick<Contract, 'set' | 'unset'>;
  /** The shipped tool appends the caller's last, so that it wins. */
  readonly compat: boolean;
}

/**
 * Later ones win: the caller, values of hooks, the hook's own, the contract (PIPE-CASE16).
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
