/** The forms in which the rollout commands print what they have found. */
import { stringify } from 'yaml';

export type OutputFormat = 'text' | 'json' | 'yaml';

export function printed(value: object, format: OutputFormat, text: () => string): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(value, null, 2)}\n`;
    case 'yaml':
      return stringify(value, { aliasDuplicateObjects: false });
    case 'text':
      return text();
    default:
      return format satisfies never;
  }
}
