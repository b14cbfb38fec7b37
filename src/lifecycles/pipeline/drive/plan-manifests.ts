/** Plans the phases render and deploy for `plan`: reads existing manifests, but starts no program. */
import type { KubeObject } from '../../../kube/object.ts';
import type { Problem } from '../../../model/problem.ts';
import { decodeUtf8File } from '../../../platform/byte-text.ts';
import { FILES_AT_ONCE, mapAtOnce } from '../build/file-digest.ts';
import type { ModuleConfig } from '../config/model.ts';
import type { StageHooks } from '../hooks/model.ts';
import type { StageFacts } from '../hooks/run-stage.ts';
import { hasDeployer } from '../deploy/run-deploy.ts';
import { findFiles } from '../render/find-files.ts';
import { parseManifests } from '../render/parse-manifests.ts';
import { renderNamespaces } from '../render/run-render.ts';
import { shellWords } from '../../../model/shell-words.ts';
import type { PipelineSession } from '../session.ts';
import type { PlannedEntry, PlannedPhase } from './plan.ts';
import { planAround } from './plan-hooks.ts';

/** Stands for the run id, which is unknown before the run. */
export const NEW_RUN_ID = '(new in each run)';

export interface PlannedManifests {
  readonly phases: readonly PlannedPhase[];
  readonly problems: readonly Problem[];
  /** The known target namespaces, sorted, without duplicates. null: no cluster is known. */
  readonly namespaces: readonly string[] | null;
}

interface ModuleManifests {
  readonly module: ModuleConfig;
  readonly objects: readonly KubeObject[];
  /** One line per source. */
  readonly sources: readonly string[];
  readonly problems: readonly Problem[];
  /** Whether `objects` is complete. If not, programs print more objects when rendering, in yet unknown namespaces. */
  readonly isWhole: boolean;
}

export async function planManifests(session: PipelineSession): Promise<PlannedManifests> {
  const { modules } = session.config;
  const read: ModuleManifests[] = [];
  for (const module of modules) read.push(await readModule(module, session));
  const namespaces = namespacesOf(read, session);
  const phases: PlannedPhase[] = [];
  for (const { module, sources } of read) {
    const work = sources.map((text): PlannedEntry => ({ kind: 'work', text }));
    const facts: StageFacts = { phase: { kind: 'other' }, ...renderNamespaces(session) };
    const { hooks } = module.manifests;
    const entries = await planAround({ hooks, facts, work }, session);
    phases.push({ phase: 'render', subject: nameOf(module), note: null, entries });
  }
  for (const one of read.filter(({ module }) => hasDeployer(module)))
    phases.push(await deployPhase(one, namespaces, session));
  return {
    phases: phases.filter(({ entries }) => entries.length > 0),
    problems: read.flatMap(({ problems }) => problems),
    namespaces,
  };
}

const nameOf = ({ name, file }: ModuleConfig): string => name ?? file;

async function deployPhase(
  { module, objects, sources, isWhole }: ModuleManifests,
  namespaces: readonly string[] | null,
  session: PipelineSession,
): Promise<PlannedPhase> {
  const { kubectl, helm, statusCheck, statusCheckDeadlineSeconds } = module.deploy;
  const names = objects.map(({ kind, metadata }) => `${kind ?? ''}/${metadata?.name ?? ''}`);
  const where = namespaces === null ? '' : `, into ${namespaces.join(', ')}`;
  const checked = session.options.statusCheck ?? statusCheck;
  const work: PlannedEntry[] = [
    { kind: 'objects', objects: names, text: `${countOf(names)}${where}${isWhole ? '' : MORE}` },
    ...(checked
      ? [{ kind: 'work' as const, text: `status check, ${statusCheckDeadlineSeconds} s at most` }]
      : []),
  ];
  const facts: StageFacts = {
    phase: { kind: 'deploy', runId: NEW_RUN_ID },
    ...(namespaces === null
      ? {}
      : { namespaces, containers: { namespaces, image: null, waitMs: 0 } }),
  };
  const lists = [kubectl?.hooks, helm?.hooks].filter((one) => one !== undefined);
  const hooks: StageHooks = {
    before: lists.flatMap(({ before }) => before),
    after: lists.flatMap(({ after }) => after),
    onError: lists.flatMap(({ onError }) => onError),
    finally: lists.flatMap((one) => one.finally),
  };
  const isEmpty = sources.length === 0;
  const entries = await planAround({ hooks, facts, work: isEmpty ? [] : work }, session);
  return { phase: 'deploy', subject: nameOf(module), note: null, entries };
}

const MORE = '; besides what kustomize or helm will print';

/** Maximum number of names in one line. */
const SHOWN_NAMES = 8;

function countOf(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_NAMES).join(', ');
  const more = names.length > SHOWN_NAMES ? ', …' : '';
  const objects = counted(names.length, 'object');
  return names.length === 0 ? `${objects} known now` : `${objects}: ${shown}${more}`;
}

const counted = (count: number, what: string): string =>
  count === 1 ? `1 ${what}` : `${count} ${what}s`;

async function readModule(
  module: ModuleConfig,
  session: PipelineSession,
): Promise<ModuleManifests> {
  const { manifests, deploy } = module;
  const { kustomize, helm } = manifests;
  const raw = await readRaw(module, session);
  const programs = [
    ...(kustomize?.paths ?? []).map((path) => ['kubectl', 'kustomize', path]),
    // Only the start of the command line: values and flags are added when rendering.
    ...[...(helm?.releases ?? []), ...(deploy.helm?.releases ?? [])].map(
      ({ name, chartPath, remoteChart }) => [
        'helm',
        'template',
        name,
        chartPath ?? remoteChart ?? name,
      ],
    ),
  ];
  const given = programs.map(
    (argv) => `the output of this command, which plan does not run: ${shellWords(argv)}`,
  );
  return { module, ...raw, sources: [...raw.sources, ...given], isWhole: given.length === 0 };
}

async function readRaw(
  module: ModuleConfig,
  { platform: { files } }: PipelineSession,
): Promise<Pick<ModuleManifests, 'objects' | 'sources' | 'problems'>> {
  const { rawYaml, hooks } = module.manifests;
  const remote = rawYaml.filter((one) => /^[a-z]+:\/\//.test(one));
  const local = rawYaml.filter((one) => !remote.includes(one));
  const found = await findFiles(files, module.folder, local);
  const parsed = await mapAtOnce(found.files, FILES_AT_ONCE, async (file) =>
    parseManifests(file, decodeUtf8File(await files.read(file))),
  );
  const objects = parsed.flatMap((one) => one.objects);
  const sources = [
    ...(found.files.length === 0
      ? []
      : [`${counted(objects.length, 'object')} of ${counted(found.files.length, 'file')}`]),
    ...found.unmatched.map((one) => `${one}: no file matches now`),
  ];
  // A hook may create the missing files before they are needed.
  const missing = hooks.before.length > 0 ? [] : found.unmatched;
  const at = { file: module.file, line: 1, column: 1 };
  const wrong = (message: string, next: string): Problem => ({
    code: 'LHL402',
    severity: 'error',
    at,
    message,
    next,
  });
  const problems = [
    ...remote.map((one) =>
      wrong(
        `manifests.rawYaml takes files, not URLs: ${one}.`,
        'Download the file, and write its path instead.',
      ),
    ),
    ...missing.map((one) =>
      wrong(`No file matches ${one} of manifests.rawYaml.`, 'Correct or remove it.'),
    ),
    ...parsed.flatMap((one) => one.problems),
  ];
  return { objects, sources, problems };
}

/** The namespaces of a deployment. A cluster-scoped object counts as an object of the default namespace here. */
function namespacesOf(
  read: readonly ModuleManifests[],
  { options, target }: PipelineSession,
): readonly string[] | null {
  if (target === null) return null;
  const all = read.flatMap(({ module, objects }) => {
    const usual = options.namespace ?? module.deploy.kubectl?.defaultNamespace ?? target.namespace;
    return objects.map(({ metadata }) => metadata?.namespace ?? usual);
  });
  return [...new Set([target.namespace, ...all])].toSorted();
}
