/** `verify`: the verifications of what is deployed. */
import type { PhaseResult, PipelineSession } from '../session.ts';
import { runVerify } from '../verify/run-verify.ts';
import { knownImages, type ToldImage } from './known-images.ts';

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
