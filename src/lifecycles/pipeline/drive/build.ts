/** `build`: the images, with the hooks around each and around all. */
import { runBuild } from '../build/run-build.ts';
import type { BuiltArtifact, PhaseResult, PipelineSession } from '../session.ts';

export function driveBuild(
  session: PipelineSession,
): Promise<PhaseResult<readonly BuiltArtifact[]>> {
  return runBuild(session);
}
