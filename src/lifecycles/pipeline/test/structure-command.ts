/** Structure tests of an image: run by the program container-structure-test, as shipped. */
import type { TestConfig } from '../config/model.ts';
import { shellWords } from '../hooks/shell-words.ts';
import { findFiles } from '../render/find-files.ts';
import type { PhaseResult, PipelineSession } from '../session.ts';

export interface TestCommand {
  readonly argv: readonly string[];
  /** The same for people. */
  readonly byHand: string;
  readonly timeoutSeconds: number | null;
}

/** None, or one that tests the image with the files of all patterns; a pattern without a file is a failure. */
export async function structureCommand(
  { context, image, structureTests, structureTestsArgs }: TestConfig,
  reference: string,
  { platform }: PipelineSession,
): Promise<PhaseResult<readonly TestCommand[]>> {
  if (structureTests.length === 0) return { outcome: 'Succeeded', value: [] };
  const { files, unmatched } = await findFiles(platform.files, context, structureTests);
  if (unmatched.length > 0) {
    const message = `error LHL308: No structure test of ${image} is matched by ${unmatched.join(', ')} in ${context}.\n  next: Correct or remove it.`;
    return { outcome: 'Failed', exitCode: 1, message };
  }
  const argv = [
    'container-structure-test',
    'test',
    '-v',
    'warn',
    '--image',
    reference,
    ...files.flatMap((file) => ['--config', file]),
    ...structureTestsArgs,
  ];
  return {
    outcome: 'Succeeded',
    value: [{ argv, byHand: shellWords(argv), timeoutSeconds: null }],
  };
}
