/** The schemas of definitions; the engine for their rules (CEL) is loaded when the first of them has one. */
import type { JsonObject } from '../../../../../src/kube/object.ts';
import { fieldsAt } from '../../../../../src/kube/fields.ts';
import { hasRules, loadRuleEngine } from '../../objects/structural/load-rule-engine.ts';
import type { RuleEngine } from '../../objects/structural/rule-engine.ts';
import { compileVersions, type VersionSchemas } from './version-schemas.ts';

interface Compiled {
  readonly engine: RuleEngine | null;
  readonly schemas: VersionSchemas;
}

export class RuleEngines {
  /** Null until a definition needed it. */
  #engine: RuleEngine | null = null;
  /** By spec: what checks a definition and what serves it need the same. */
  readonly #compiled = new WeakMap<JsonObject, Compiled>();

  async loadFor(definition: JsonObject): Promise<void> {
    if (this.#engine === null && hasRules(fieldsAt(definition, 'spec'))) {
      this.#engine = await loadRuleEngine();
    }
  }

  /** Of a definition that nobody changes any more; `loadFor` comes before. */
  compile(definition: JsonObject): VersionSchemas {
    const spec = fieldsAt(definition, 'spec');
    const engine = this.#engine;
    const known = this.#compiled.get(spec);
    if (known?.engine === engine) return known.schemas;
    const schemas = compileVersions(definition, engine);
    this.#compiled.set(spec, { engine, schemas });
    return schemas;
  }
}
