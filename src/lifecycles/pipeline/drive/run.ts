/** `run`: build, test, render, deploy, once. */
import { runBuild } from '../build/run-build.ts';
import type { BuiltArtifact, Deployed, PhaseResult, PipelineSession } from '../session.ts';
import { runTests } from '../test/run-test.ts';
import { renderAndDeploy } from './deploy.ts';

export interface Ran {
  readonly built: readonly BuiltArtifact[];
  readonly deployed: Deployed;
}

export async function driveRun(session: PipelineSession): Promise<PhaseResult<Ran>> {
  const built = await runBuild(session);
  if (built.outcome !== 'Succeeded') return built;
  const tested = await runTests(session, built.value);
  if (tested.outcome !== 'Succeeded') return tested;
  const deployed = await renderAndDeploy(session, built.value);
  if (deployed.outcome !== 'Succeeded') return deployed;
  return { outcome: 'Succeeded', value: { built: built.value, deployed: deployed.value } };
}
