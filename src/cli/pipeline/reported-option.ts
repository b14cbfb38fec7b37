import { Option } from 'commander';

import type { PipelineOptions } from './options.ts';

export interface ReportedOptions extends PipelineOptions {
  readonly buildArtifacts?: string;
}

/** `--build-artifacts`, for verbs that build nothing. */
export function buildArtifactsOption(): Option {
  return new Option(
    '-a, --build-artifacts <file>',
    'file with the images, from `build --file-output`; default: the images of the last build',
  );
}
