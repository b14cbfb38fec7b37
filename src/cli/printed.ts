/** One value in the form that `--output` asks for. */
import { stringify } from 'yaml';

import type { OutputFormat } from './output-option.ts';

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
