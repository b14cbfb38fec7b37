/** What an API server needs to be extended: custom kinds, and the check of their definitions. */
import type { Admission } from '../admission.ts';
import { checkedDefinitions, loadsRuleEngine } from './checked-definitions.ts';
import { CustomKinds, type CustomKindsOptions, DEFINITIONS } from './custom-kinds.ts';
import { RuleEngines } from './rule-engines.ts';

export interface CustomKindServer {
  readonly kinds: CustomKinds;
  /** For the API server, in place of the inner one. */
  readonly admission: Admission;
}

/** Its kinds are to be started before the server answers, and stopped before the store is closed. */
export function serveCustomKinds(
  options: Omit<CustomKindsOptions, 'engines'>,
  inner: Admission,
): CustomKindServer {
  const engines = new RuleEngines();
  const { registry } = options;
  for (const definition of registry.all()) {
    if (definition.storageName === DEFINITIONS)
      registry.add(checkedDefinitions(definition, engines));
  }
  return {
    kinds: new CustomKinds({ ...options, engines }),
    admission: loadsRuleEngine(inner, engines),
  };
}
