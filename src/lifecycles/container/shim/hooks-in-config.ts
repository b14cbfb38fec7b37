import { isObject, type ConfigObject } from '../config/config-text.ts';
import type { Stage } from '../points.ts';

/** The hooks of one stage that stand in a config.json. */
export function hooksIn({ hooks }: ConfigObject, stage: Stage): readonly unknown[] {
  const list = isObject(hooks) ? hooks[stage] : undefined;
  return Array.isArray(list) ? list : [];
}
