/** `render`: the manifests as they would be deployed. Nothing is built: images stand under the references of a build. */
import { runRender } from '../render/run-render.ts';
import type { PhaseResult, PipelineSession, Rendered } from '../session.ts';
import { knownImages, type ToldImage } from './known-images.ts';

export async function driveRender(
  session: PipelineSession,
  told: readonly ToldImage[] | null = null,
): Promise<PhaseResult<Rendered>> {
  return runRender(session, await knownImages(session, { told }));
}
