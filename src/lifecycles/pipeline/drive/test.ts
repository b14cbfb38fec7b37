/** `test`: the tests of images that are built already. */
import type { PhaseResult, PipelineSession } from '../session.ts';
import { runTests } from '../test/run-test.ts';
import { knownImages, type ToldImage } from './known-images.ts';

export async function driveTest(
  session: PipelineSession,
  told: readonly ToldImage[] | null = null,
): Promise<PhaseResult<null>> {
  const tested = new Set(
    session.config.modules.flatMap(({ test }) => test.map(({ image }) => image)),
  );
  const built = await knownImages(session, {
    told,
    must: 'be-built',
    only: (image) => tested.has(image),
  });
  return runTests(session, built);
}
