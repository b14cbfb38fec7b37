/** What a file is, by what stands in it. Pure; reads what nobody has validated. */
import { asFields, asText } from '../convert/conversion.ts';

/** hooks.d, of either version: no object of an API server has a `hook` and its stages at the top. */
export function isHookFile(value: unknown): boolean {
  const fields = asFields(value);
  return 'hook' in fields && !('kind' in fields);
}

export function isPipeline(value: unknown): boolean {
  const { apiVersion, kind } = asFields(value);
  return kind === 'Config' && asText(apiVersion).startsWith('skaffold/');
}
