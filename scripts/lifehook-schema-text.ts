import { lifehookJsonSchema } from '../src/lifecycles/pipeline/config/lifehook-schema.ts';

/** The content of docs/schema/lifehook.json. */
export function lifehookSchemaText(): string {
  return `${JSON.stringify(lifehookJsonSchema(), null, 2)}\n`;
}
