/** `--output`: declarations only, which every start of the program loads. */
import { Option } from 'commander';

export const OUTPUT_FORMATS = ['text', 'json', 'yaml'] as const;
export const LIST_FORMATS = ['text', 'json', 'yaml', 'name', 'wide'] as const;

export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
export type ListFormat = (typeof LIST_FORMATS)[number];

/** Of commands that print one thing. */
export function outputOption(): Option {
  return formatOption(OUTPUT_FORMATS);
}

/** Of commands that print a table. */
export function listOutputOption(): Option {
  return formatOption(LIST_FORMATS);
}

/** Of commands whose text has no other form than JSON. */
export function jsonOption(): Option {
  return formatOption(['text', 'json']);
}

function formatOption(formats: readonly string[]): Option {
  return new Option('-o, --output <format>', 'Format of the output')
    .choices(formats)
    .default('text');
}
