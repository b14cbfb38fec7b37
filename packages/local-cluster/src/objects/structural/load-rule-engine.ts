/** Loads the rule engine on demand: it costs about 10 ms at the start, and most runs never need it. */
import type { Json } from '../../../../../src/kube/object.ts';
import type { RuleEngine } from './rule-engine.ts';

export async function loadRuleEngine(): Promise<RuleEngine> {
  const { celRuleEngine } = await import('./cel-rule-engine.ts');
  return celRuleEngine();
}

/** Whether a schema, or a value that contains schemas, has rules. The depth of the value is bounded. */
export function hasRules(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasRules);
  return Object.hasOwn(value, 'x-kubernetes-validations') || Object.values(value).some(hasRules);
}
