import { Option } from 'commander';

import type { PipelineOptions } from './options.ts';

export interface ToldOptions extends PipelineOptions {
  readonly buildArtifacts?: string;
}

/** `--build-artifacts`, for verbs that build nothing. */
export function buildArtifactsOption(): Option {
  return new Option(
    '-a, --build-artifacts <file>',
    'the images, as `build --file-output` wrote them; without it those of the last build',
  );
}
