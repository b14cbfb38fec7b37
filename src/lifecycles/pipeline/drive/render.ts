/**
 * Implements the commands that neither build nor deploy: `render`, `test` and `verify`. `test` and `verify` need the
 * images of an earlier build, and `render` only their references.
 */
import { unlessInterrupted } from '../build/plan-build.ts';
import { runRender } from '../render/run-render.ts';
import type { PhaseResult, PipelineSession, Rendered } from '../session.ts';
import { runTests } from '../test/run-test.ts';
import { runVerify } from '../verify/run-verify.ts';
import { knownImages, type ReportedImage } from './known-images.ts';

/** `render`: the manifests as they would be deployed, with the references that a build gives to images. */
export async function driveRender(
  session: PipelineSession,
  reported: readonly ReportedImage[] | null,
): Promise<PhaseResult<Rendered>> {
  const images = await unlessInterrupted(session, () => knownImages(session, { reported }));
  return images.outcome === 'Succeeded' ? runRender(session, images.value) : images;
}

/** `test`: tests images that are already built. */
export async function driveTest(
  session: PipelineSession,
  reported: readonly ReportedImage[] | null,
): Promise<PhaseResult<null>> {
  const tested = new Set(
    session.config.modules.flatMap(({ test }) => test.map(({ image }) => image)),
  );
  const only = (image: string): boolean => tested.has(image);
  const images = await unlessInterrupted(session, () =>
    knownImages(session, { reported, must: 'be-built', only }),
  );
  return images.outcome === 'Succeeded' ? runTests(session, images.value) : images;
}

/** `verify`: verifies deployed objects. */
export async function driveVerify(
  session: PipelineSession,
  reported: readonly ReportedImage[] | null,
): Promise<PhaseResult<null>> {
  const used = new Set(
    session.config.modules.flatMap(({ verify }) => verify.map(({ container }) => container.image)),
  );
  const only = (image: string): boolean => used.has(image);
  const images = await unlessInterrupted(session, () =>
    knownImages(session, { reported, must: 'be-built', only }),
  );
  return images.outcome === 'Succeeded' ? runVerify(session, images.value) : images;
}
