import { lifehookJsonSchema } from '../src/lifecycles/pipeline/config/lifehook-schema.ts';

/** What docs/schema/lifehook.json holds. */
export function lifehookSchemaText(): string {
  return `${JSON.stringify(lifehookJsonSchema(), null, 2)}\n`;
}
