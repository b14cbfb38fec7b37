/** The engine for validation rules (CEL), loaded when the first definition has one. */
import type { JsonObject } from '../../../kube/object.ts';
import { fieldsAt } from '../../objects/kinds/fields.ts';
import { hasRules, loadRuleEngine } from '../../objects/structural/load-rule-engine.ts';
import type { RuleEngine } from '../../objects/structural/rule-engine.ts';

export class RuleEngines {
  #engine: RuleEngine | null = null;

  /** Null until a definition needed it. */
  get loaded(): RuleEngine | null {
    return this.#engine;
  }

  async forDefinition(definition: JsonObject): Promise<RuleEngine | null> {
    if (this.#engine === null && hasRules(fieldsAt(definition, 'spec'))) {
      this.#engine = await loadRuleEngine();
    }
    return this.#engine;
  }
}
