import { Option } from 'commander';

/** `--output`, for every command that lists something. */
export function outputOption(): Option {
  return new Option('-o, --output <format>', 'how to print')
    .choices(['text', 'json'])
    .default('text');
}
