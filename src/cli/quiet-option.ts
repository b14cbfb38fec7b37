import { Option } from 'commander';

export interface QuietOptions {
  readonly quiet?: boolean;
}

/** Of commands that print what they do, or advice, besides their result. */
export function quietOption(): Option {
  return new Option('-q, --quiet', 'Print errors and the result only');
}
