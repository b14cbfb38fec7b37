/** `apply`: manifests that are rendered already, applied as they are, with the hooks and the status check of a deployment. */
import { runDeploy } from '../deploy/run-deploy.ts';
import type { ModuleConfig } from '../config/model.ts';
import { NO_HOOKS } from '../config/convert/convert-hooks.ts';
import { putLabels } from '../render/put-labels.ts';
import { readFiles } from '../render/read-sources.ts';
import type { Deployed, PhaseResult, PipelineSession } from '../session.ts';
import { tellReady } from './deploy.ts';

/** `patterns`: absolute. The last configuration applies them all; nothing is pruned, since more may be deployed than this. */
export async function driveApply(
  session: PipelineSession,
  patterns: readonly string[],
): Promise<PhaseResult<Deployed>> {
  const module = session.config.modules.at(-1);
  if (module === undefined) throw new Error('a pipeline has a module');
  const read = await readFiles(session, { folder: session.hooks.workDir, patterns });
  if (read.outcome !== 'Succeeded') return read;
  const { runId, options } = session;
  const objects = read.value.map((object) => putLabels(object, runId, options.labels));
  const manifests = [{ module: withHooksOf(session, module), objects, text: '' }];
  const deployed = await runDeploy(session, { manifests }, { prunes: false });
  return deployed.outcome === 'Succeeded' ? tellReady(session, deployed.value) : deployed;
}

/** As shipped, none with `--compat`. A deployer that was ignored stays none. */
function withHooksOf({ options }: PipelineSession, module: ModuleConfig): ModuleConfig {
  const { kubectl, helm } = module.deploy;
  if (!options.compat) return module;
  const bare = kubectl === null ? null : { ...kubectl, hooks: NO_HOOKS };
  const bareHelm = helm === null ? null : { ...helm, hooks: NO_HOOKS };
  return { ...module, deploy: { ...module.deploy, kubectl: bare, helm: bareHelm } };
}
