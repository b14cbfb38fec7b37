/** The verbs that build nothing and deploy nothing: `render`, `test` and `verify`, with images of an earlier build. */
import { runRender } from '../render/run-render.ts';
import type { PhaseResult, PipelineSession, Rendered } from '../session.ts';
import { runTests } from '../test/run-test.ts';
import { runVerify } from '../verify/run-verify.ts';
import { knownImages, type ToldImage } from './known-images.ts';

/** The manifests as they would be deployed: images have the references of a build. */
export async function driveRender(
  session: PipelineSession,
  told: readonly ToldImage[] | null = null,
): Promise<PhaseResult<Rendered>> {
  return runRender(session, await knownImages(session, { told }));
}

/** `test`: the tests of images that are built already. */
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

/** `verify`: the verifications of what is deployed. */
export async function driveVerify(
  session: PipelineSession,
  told: readonly ToldImage[] | null = null,
): Promise<PhaseResult<null>> {
  const used = new Set(
    session.config.modules.flatMap(({ verify }) => verify.map(({ container }) => container.image)),
  );
  const only = (image: string): boolean => used.has(image);
  return runVerify(session, await knownImages(session, { told, must: 'be-built', only }));
}
