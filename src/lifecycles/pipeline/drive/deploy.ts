/** `deploy`: what is built already, rendered and applied, checked, and with the hooks of its readiness. */
import { deployedContainers } from '../deploy/current-pods.ts';
import { runDeploy } from '../deploy/run-deploy.ts';
import { runStage } from '../hooks/run-stage.ts';
import { runRender } from '../render/run-render.ts';
import type { BuiltArtifact, Deployed, PhaseResult, PipelineSession } from '../session.ts';
import { knownImages, type ToldImage } from './known-images.ts';

export async function driveDeploy(
  session: PipelineSession,
  told: readonly ToldImage[] | null = null,
): Promise<PhaseResult<Deployed>> {
  return renderAndDeploy(session, await knownImages(session, { told, must: 'be-built' }));
}

/** Also what `run` does after its build. */
export async function renderAndDeploy(
  session: PipelineSession,
  built: readonly BuiltArtifact[],
): Promise<PhaseResult<Deployed>> {
  const rendered = await runRender(session, built);
  if (rendered.outcome !== 'Succeeded') return rendered;
  const deployed = await runDeploy(session, rendered.value);
  return deployed.outcome === 'Succeeded' ? tellReady(session, deployed.value) : deployed;
}

/** The hooks `ready` of lifehook.yaml: once everything is there, of whichever module. */
export function tellReady(
  session: PipelineSession,
  deployed: Deployed,
): Promise<PhaseResult<Deployed>> {
  const { namespaces } = deployed;
  return runStage<Deployed>(session, {
    hooks: session.config.ownHooks.ready,
    facts: () => ({
      phase: { kind: 'deploy', runId: session.runId },
      namespaces,
      containers: deployedContainers(session, deployed),
    }),
    work: () => Promise.resolve({ outcome: 'Succeeded', value: deployed }),
  });
}
