/** Plans an iteration of the development loop: the smallest amount of work that processes every change. Pure. */
import type { Artifact, PipelineConfig } from '../config/model.ts';
import type { FileChanges, SyncPlan } from '../sync/plan-sync.ts';
import type { GroupKey } from '../watch/snapshot.ts';

export interface DevFacts {
  readonly config: PipelineConfig;
  /** The pending changes of each group. A changed configuration has been read again already. */
  readonly changes: ReadonlyMap<GroupKey, FileChanges>;
  /** The sync plan of each artifact with changes. */
  readonly syncs: ReadonlyMap<string, SyncPlan>;
  /** Images whose containers have synced files that no build has: a new pod would not have them. */
  readonly synced: ReadonlySet<string>;
  /** Whether everything in this configuration is deployed. */
  readonly isDeployed: boolean;
}

export type DevWork =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'work';
      /**
       * Images to build; "all": not everything in the configuration is deployed yet. Images in the cache are skipped.
       */
      readonly builds: ReadonlySet<string> | 'all';
      readonly syncs: readonly DevSync[];
      readonly tests: boolean;
      readonly deploys: boolean;
      /** The reasons why images with sync rules are built, for messages. */
      readonly notes: readonly string[];
    };

export interface DevSync {
  readonly artifact: Artifact;
  readonly changes: FileChanges;
  readonly plan: Extract<SyncPlan, { kind: 'sync' }>;
}

/**
 * Plans the work of one iteration. Worked example: a change of web that its rules can sync is one sync. Together with a
 * change of a manifest, web is built, since the deployment may replace its pods, and the new pods would lack the files.
 */
export function planDev(facts: DevFacts): DevWork {
  const { changes, isDeployed } = facts;
  if (!isDeployed) {
    return { kind: 'work', builds: 'all', syncs: [], tests: true, deploys: true, notes: [] };
  }
  const builds = mustBuild(facts);
  const deploys = builds.size > 0 || changes.has('manifests');
  const changed = artifactsOf(facts.config).filter(({ image }) => changes.has(`artifact/${image}`));
  if (deploys) {
    for (const image of [...facts.synced, ...changed.map((one) => one.image)]) builds.add(image);
    addDependants(builds, facts.config);
  }
  const syncs = deploys ? [] : changed.flatMap((one) => syncOf(one, facts));
  const tests = builds.size > 0 || [...changes.keys()].some((key) => key.startsWith('test/'));
  if (!deploys && !tests && syncs.length === 0) return { kind: 'nothing' };
  return { kind: 'work', builds, syncs, tests, deploys, notes: notesOf(changed, facts) };
}

function artifactsOf({ modules }: PipelineConfig): readonly Artifact[] {
  return modules.flatMap(({ build }) => build.artifacts);
}

function mustBuild({ config, changes, syncs }: DevFacts): Set<string> {
  const all = artifactsOf(config);
  const meant = changes.has('build')
    ? all
    : all.filter(
        ({ image }) => changes.has(`artifact/${image}`) && syncs.get(image)?.kind !== 'sync',
      );
  const builds = new Set(meant.map(({ image }) => image));
  addDependants(builds, config);
  return builds;
}

/** Adds the images that require an image which is built: they are built too. */
function addDependants(builds: Set<string>, config: PipelineConfig): void {
  const all = artifactsOf(config);
  for (let before = -1; before !== builds.size;) {
    before = builds.size;
    for (const { image, requires } of all) {
      if (requires.some((one) => builds.has(one.image))) builds.add(image);
    }
  }
}

function syncOf(artifact: Artifact, { syncs, changes }: DevFacts): DevSync[] {
  const plan = syncs.get(artifact.image);
  const changed = changes.get(`artifact/${artifact.image}`);
  return plan?.kind === 'sync' && changed !== undefined
    ? [{ artifact, changes: changed, plan }]
    : [];
}

function notesOf(changed: readonly Artifact[], { syncs }: DevFacts): string[] {
  return changed.flatMap(({ image, sync }) => {
    const plan = syncs.get(image);
    if (sync === null || plan?.kind !== 'rebuild') return [];
    return [`${image} is built: ${plan.reason}`];
  });
}
