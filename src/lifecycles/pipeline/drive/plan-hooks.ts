/** Plans the hooks of one place for `plan`: decides them as the phase itself does, but runs none. */
import { decideHook } from '../hooks/decide.ts';
import { hookEnvironment } from '../hooks/environment.ts';
import type { PipelineHook, StageHooks, When } from '../hooks/model.ts';
import { planLine, type PlanLine } from '../hooks/plan-lines.ts';
import { hookDigests, hookListOf, type StageFacts } from '../hooks/run-stage.ts';
import { selectContainers } from '../hooks/select-containers.ts';
import type { PipelineSession } from '../session.ts';
import type { PlannedEntry } from './plan.ts';

export interface PlannedStage {
  readonly facts: StageFacts;
  /** The image whose containers a sync hook runs in; absent or null: containers are not selected by an image. */
  readonly image?: string | null;
}

/** The planned hooks of one list, in the order of the list. */
export async function planHooks(
  { hooks, when, ...stage }: PlannedStage & { readonly hooks: StageHooks; readonly when: When },
  session: PipelineSession,
): Promise<readonly PlannedEntry[]> {
  const list = hooks[when];
  if (list.length === 0) return [];
  const digests = await hookDigests(list, session);
  await session.hooks.history.recall(digests.keys());
  const lines: PlannedEntry[] = [];
  for (const hook of list) {
    const line = await lineOf(hook, { ...stage, facts: { ...stage.facts, digests } }, session);
    lines.push({ kind: 'hook', when, hook: line });
  }
  return lines;
}

async function lineOf(
  hook: PipelineHook,
  { facts, image = null }: PlannedStage,
  session: PipelineSession,
): Promise<PlanLine> {
  const { facts: decide, contract } = hookListOf(session, [hook], facts);
  const { workDir, compat, values } = session.hooks;
  const all = hookEnvironment({
    // The caller's own variables are left out of the plan.
    caller: {},
    values: values.environment(),
    own: hook.policy.env,
    contract,
    compat,
  });
  const variables = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  const line = planLine(decideHook(hook, decide), {
    workDir,
    variables,
    image,
    matching: await matchingNow(hook, facts, session),
  });
  const { paths } = hook.policy;
  if (hook.phase !== 'sync' || !line.runs || paths.length === 0) return line;
  return { ...line, reason: `it runs when one of ${paths.join(', ')} is synced` };
}

/**
 * The number of containers that match now; null: it is a host hook, the cluster cannot be read, or the containers do
 * not exist yet.
 */
async function matchingNow(
  { action, when }: PipelineHook,
  { containers = null }: StageFacts,
  { hooks: { cluster } }: PipelineSession,
): Promise<number | null> {
  if (action.kind === 'host' || containers === null || cluster === null) return null;
  const { namespaces, image } = containers;
  const pods = await cluster.pods(namespaces).catch(() => null);
  if (pods === null) return null;
  const count = selectContainers({ action, namespaces, image }, pods).running.length;
  // Hooks before a deployment run in containers that exist already (PIPE-CASE32). All others run in the deployed
  // containers.
  return count === 0 && when !== 'before' ? null : count;
}

/** The phase's own work, with the hooks around it in the order in which they would run. */
export async function planAround(
  { work, ...stage }: PlannedStage & { readonly hooks: StageHooks; readonly work: Entries },
  session: PipelineSession,
): Promise<Entries> {
  const list = (when: When): Promise<Entries> => planHooks({ ...stage, when }, session);
  const before = await list('before');
  const after = [await list('after'), await list('onError'), await list('finally')];
  return [...before, ...work, ...after.flat()];
}

type Entries = readonly PlannedEntry[];
