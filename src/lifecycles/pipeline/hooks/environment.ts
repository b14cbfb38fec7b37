/** Merges the environment of a host hook from its sources. Pure. */
import type { Contract } from './contract.ts';

export interface EnvironmentParts {
  /** The environment of the process that runs Lifehook. */
  readonly caller: Readonly<Record<string, string>>;
  /** Values that earlier hooks have set. */
  readonly values: Readonly<Record<string, string>>;
  /** Variables of the hook itself, from lifehook.yaml. */
  readonly own: Readonly<Record<string, string>>;
  readonly contract: Pick<Contract, 'set' | 'unset'>;
  /** Whether the caller's variables win: skaffold appends them last. */
  readonly compat: boolean;
}

/**
 * A later source overrides earlier ones: the caller, values of hooks, the hook's own variables, the contract
 * (PIPE-CASE16).
 *
 * Worked example: the caller has SKAFFOLD_IMAGE=evil and A=1, a value is A=2, the contract has SKAFFOLD_IMAGE=web:v1:
 * the hook sees A=2 and SKAFFOLD_IMAGE=web:v1; with `compat`, A=2 and SKAFFOLD_IMAGE=evil.
 */
export function hookEnvironment(parts: EnvironmentParts): Record<string, string> {
  const { caller, values, own, contract, compat } = parts;
  if (compat) return { ...contract.set, ...caller, ...values, ...own };
  const environment = { ...caller, ...values, ...own };
  for (const name of contract.unset) delete environment[name];
  return Object.assign(environment, contract.set);
}
