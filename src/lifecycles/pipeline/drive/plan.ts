/**
 * Plans a run and executes nothing of it (PIPE-CASE48): no hook runs, nothing is built, rendered or applied. It asks
 * git for tags and the cluster for its pods, and runs the commands by which custom builders list their files.
 */
import type { Problem } from '../../../model/problem.ts';
import type { PipelinePhase, When } from '../hooks/model.ts';
import { type PlanLine, planText as hookText } from '../hooks/plan-lines.ts';
import type { StageFacts } from '../hooks/run-stage.ts';
import type { PlannedBuild } from '../build/plan-build.ts';
import type { PipelineSession } from '../session.ts';
import { planAround } from './plan-hooks.ts';
import { planImages } from './plan-images.ts';
import { NEW_RUN_ID, planManifests } from './plan-manifests.ts';

export async function planPipeline(session: PipelineSession, verb = 'run'): Promise<PipelinePlan> {
  const { config, target } = session;
  const { modules, profiles, workDir } = config;
  const only = PHASES[verb];
  const images = await planImages(session);
  const manifests = await planManifests(session);
  const known = manifests.namespaces === null ? {} : { namespaces: manifests.namespaces };
  const own = (phase: OwnPhase): Promise<readonly PlannedPhase[]> =>
    ownPhase(phase, known, session);
  const phases = [
    ...images.phases,
    ...(session.options.skipTests ? [] : await own('test')),
    ...manifests.phases,
    ...(await own('ready')),
    ...(await own('portForward')),
    ...(await syncPhases(images.builds, known, session)),
    ...(await own('verify')),
    ...(await own('cleanup')),
  ];
  return {
    file: modules.at(-1)?.file ?? '',
    workDir,
    profiles,
    cluster: target === null ? null : { context: target.context, namespace: target.namespace },
    phases: phases.filter(({ phase }) => only?.includes(phase) !== false),
    problems: [
      ...(verb === 'delete' ? [] : images.problems),
      ...(only === undefined ? manifests.problems : []),
    ],
  };
}

/** The phases of commands that do not have all phases. Every other command is planned with every phase. */
const PHASES: Readonly<Record<string, readonly PlannedPhase['phase'][]>> = {
  build: ['build'],
  test: ['test'],
  verify: ['verify'],
  delete: ['cleanup'],
};

type OwnPhase = keyof PipelineSession['config']['ownHooks'];

const NOTES: Readonly<Record<OwnPhase, string | null>> = {
  test: null,
  ready: 'when everything is deployed and ready',
  portForward: 'where ports are forwarded',
  verify: 'in the command verify',
  cleanup: 'in the command delete, and at the end of dev',
};

/** A phase whose hooks can only be defined in lifehook.yaml. */
async function ownPhase(
  phase: OwnPhase,
  known: Pick<StageFacts, 'namespaces'>,
  session: PipelineSession,
): Promise<readonly PlannedPhase[]> {
  const facts: StageFacts = {
    phase: phase === 'ready' ? { kind: 'deploy', runId: NEW_RUN_ID } : { kind: 'other' },
    ...known,
    ...containersOf(known, null),
  };
  const hooks = session.config.ownHooks[phase];
  const entries = await planAround({ hooks, facts, work: workOf(phase, session) }, session);
  if (entries.length === 0) return [];
  return [{ phase, subject: null, note: NOTES[phase], entries }];
}

function workOf(phase: OwnPhase, { config: { modules } }: PipelineSession): PlannedEntry[] {
  const lines = modules.flatMap((module) => {
    if (phase === 'test') {
      return module.test.flatMap(({ image, custom }) =>
        custom.map(({ command }) => `${command}, of ${image}`),
      );
    }
    if (phase === 'verify') {
      return module.verify.map(({ name, container }) => `${name}: a pod of ${container.image}`);
    }
    if (phase !== 'portForward') return [];
    return module.portForward.map(
      ({ resourceType, resourceName, port, localPort }) =>
        `${resourceType}/${resourceName}, port ${port}${localPort === undefined ? '' : ` to ${localPort}`}`,
    );
  });
  return lines.map((text) => ({ kind: 'work', text }));
}

async function syncPhases(
  builds: readonly PlannedBuild[],
  known: Pick<StageFacts, 'namespaces'>,
  session: PipelineSession,
): Promise<readonly PlannedPhase[]> {
  const phases: PlannedPhase[] = [];
  for (const { artifact, reference } of builds) {
    const { sync, image, context } = artifact;
    if (sync === null) continue;
    const work = sync.manual.map(({ src, dest }): PlannedEntry => ({
      kind: 'work',
      text: `${src} into ${dest}`,
    }));
    const facts: StageFacts = {
      phase: { kind: 'sync', image: reference, context, modified: [], deleted: [] },
      ...known,
      ...containersOf(known, reference),
    };
    const { hooks } = sync;
    const entries = await planAround({ hooks, facts, image: reference, work }, session);
    phases.push({ phase: 'sync', subject: image, note: NOTE_OF_SYNC, entries });
  }
  return phases.filter(({ entries }) => entries.length > 0);
}

const NOTE_OF_SYNC = 'in dev, when such files change';

function containersOf(
  { namespaces }: Pick<StageFacts, 'namespaces'>,
  image: string | null,
): Pick<StageFacts, 'containers'> {
  return namespaces === undefined ? {} : { containers: { namespaces, image, waitMs: 0 } };
}

/** The output of `plan`: every phase in order, its work, the hooks that would run in it, and why others would not. */
export interface PipelinePlan {
  /** The requested file; absolute. */
  readonly file: string;
  readonly workDir: string;
  readonly profiles: readonly string[];
  /** null: no cluster was requested, or none was found. */
  readonly cluster: { readonly context: string; readonly namespace: string } | null;
  /** In the order in which they would run. At the end: sync, which only `dev` has, then verify and cleanup. */
  readonly phases: readonly PlannedPhase[];
  /** Problems that would prevent a run now. */
  readonly problems: readonly Problem[];
}

export interface PlannedPhase {
  readonly phase: PipelinePhase;
  /** The image or the module; null: there is only one, or the entry covers the whole phase. */
  readonly subject: string | null;
  /** The condition under which the phase runs; null: the phase is in every run. */
  readonly note: string | null;
  readonly entries: readonly PlannedEntry[];
}

export type PlannedEntry =
  | { readonly kind: 'hook'; readonly when: When; readonly hook: PlanLine }
  | { readonly kind: 'image'; readonly image: PlannedImage; readonly text: string }
  /** Manifests that exist now, as "Deployment/web". */
  | { readonly kind: 'objects'; readonly objects: readonly string[]; readonly text: string }
  | { readonly kind: 'work'; readonly text: string };

export interface PlannedImage {
  readonly name: string;
  /** The image's name with default-repo and tag; null: the tag cannot be created now. */
  readonly reference: string | null;
  readonly builder: string;
  readonly push: boolean | null;
  /** The id of the existing image; null: it has to be built. */
  readonly cachedId: string | null;
  readonly requires: readonly string[];
}

/**
 * A plan as text, without its problems: "+" a hook that runs, "-" a skipped one with the reason, "=" the phase's own
 * work. Pure.
 */
export function pipelinePlanText(plan: PipelinePlan): string {
  const { file, profiles, cluster, phases } = plan;
  const facts = [
    file,
    ...(profiles.length === 0 ? [] : [`profiles ${profiles.join(', ')}`]),
    cluster === null ? 'no cluster' : `context ${cluster.context}, namespace ${cluster.namespace}`,
  ];
  return [facts.join('; '), ...phases.flatMap((one) => ['', ...phaseRows(one)])].join('\n');
}

function phaseRows({ phase, subject, note, entries }: PlannedPhase): string[] {
  const title = subject === null ? phase : `${phase} ${subject}`;
  return [
    note === null ? title : `${title} (${note})`,
    ...entries.flatMap((entry) => entryText(entry).split('\n')).map((row) => `  ${row}`),
  ];
}

function entryText(entry: PlannedEntry): string {
  return entry.kind === 'hook' ? hookText(entry.hook) : `= ${entry.text}`;
}
