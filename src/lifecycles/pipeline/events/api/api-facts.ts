/** The metadata of a pipeline in the event API, known before it runs. Pure. */
import type { Artifact, PipelineConfig } from '../../config/model.ts';
import { countHooks, hooksOf } from '../hook-counts.ts';

export interface ApiFacts {
  readonly runId: string;
  readonly artifacts: readonly ApiArtifact[];
  readonly deployers: readonly { readonly type: string; readonly count: number }[];
  readonly cluster: string;
  /** Keyed by hook point, such as "pre-build". */
  readonly hookCounts: Readonly<Record<string, number>>;
  /** The platform in Go's names, such as "linux/amd64". */
  readonly hostPlatform: string;
  /** The name of the program, for the first line of the stream. */
  readonly program: string;
}

export interface ApiArtifact {
  readonly type: string;
  readonly name: string;
  readonly context: string;
  readonly dockerfile: string;
}

export function apiFacts(
  config: PipelineConfig,
  session: Pick<ApiFacts, 'runId' | 'hostPlatform' | 'program'> & { readonly kubeContext: string },
): ApiFacts {
  const { kubeContext, ...rest } = session;
  const artifacts = config.modules.flatMap(({ build }) => build.artifacts);
  const deployers = config.modules.flatMap(({ deploy }) => [
    ...(deploy.helm === null ? [] : [{ type: 'HELM', count: 1 }]),
    ...(deploy.kubectl === null ? [] : [{ type: 'KUBECTL', count: 1 }]),
  ]);
  return {
    ...rest,
    artifacts: artifacts.map((one) => apiArtifact(one, config.workDir)),
    deployers,
    cluster: clusterType(kubeContext),
    hookCounts: countHooks(hooksOf(config)),
  };
}

/** An artifact for the API. Its context is written as in skaffold.yaml, relative to the directory of that file. */
function apiArtifact({ image, context: path, builder }: Artifact, workDir: string): ApiArtifact {
  const inside = path.startsWith(`${workDir}/`) ? path.slice(workDir.length + 1) : path;
  const context = path === workDir ? '.' : inside;
  const type = BUILDERS[builder.kind] ?? 'UNKNOWN_BUILDER_TYPE';
  const dockerfile = builder.kind === 'docker' ? builder.dockerfile : '';
  return { type, name: image, context, dockerfile };
}

const BUILDERS: Readonly<Record<string, string>> = { docker: 'DOCKER', custom: 'CUSTOM' };

function clusterType(context: string): string {
  if (context.includes('minikube')) return 'MINIKUBE';
  return context.startsWith('gke') ? 'GKE' : 'OTHER';
}

/** The metadata in version 2. `additional` has the number of hooks for each hook point. */
export function metadataV2(facts: ApiFacts): object {
  const { artifacts, runId } = facts;
  return {
    build: { artifacts, type: 'LOCAL', additional: {} },
    deploy: deployOf(facts),
    test: null,
    runID: runId,
    render: { Renderers: [] },
    additional: additionalOf(facts),
  };
}

export function metadataV1(facts: ApiFacts): object {
  const { artifacts } = facts;
  const types = [...new Set(artifacts.map(({ type }) => type))];
  const builders = types.map((type) => ({
    type,
    count: artifacts.filter((one) => one.type === type).length,
  }));
  return {
    build: { numberOfArtifacts: artifacts.length, builders, type: 'LOCAL', additional: {} },
    deploy: deployOf(facts),
    test: null,
    additional: additionalOf(facts),
  };
}

function deployOf({ deployers, cluster }: ApiFacts): object {
  const none = deployers.length === 0;
  return { deployers, cluster: none ? 'UNKNOWN_CLUSTER_TYPE' : cluster };
}

function additionalOf({ hookCounts }: ApiFacts): Record<string, string> {
  const counts = Object.entries(hookCounts).map(
    ([point, count]) => [`hooks.${point}`, String(count)] as const,
  );
  return Object.fromEntries(counts);
}
