import type { ByteText } from '../../../platform/platform.ts';
import { encodeUtf8 } from '../../../platform/byte-text.ts';
import { isObject, type ConfigObject } from '../config/config-text.ts';
import type { Stage } from '../points.ts';

/** The hooks of one stage in a config.json. */
export function hooksIn({ hooks }: ConfigObject, stage: Stage): readonly unknown[] {
  const list = isObject(hooks) ? hooks[stage] : undefined;
  return Array.isArray(list) ? list : [];
}

/** Whether an earlier create may have added hooks there: one search of the text, since nearly every bundle is new. */
export function mayHoldWrapped(text: ByteText, runner: string): boolean {
  return text.includes(encodeUtf8(runner));
}
