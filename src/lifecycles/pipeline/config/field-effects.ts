/**
 * Lists the fields of a pipeline that Lifehook does not implement. A field in one of the tables REFUSED* could change
 * what is built, deployed or checked, or where: a file with such a field is refused. Fields in REFUSED and
 * REFUSED_BUILDERS are accepted if the user ignores these fields. A field in IDLE cannot change these: one warning
 * lists such fields with the reason. A field in none of the tables is implemented. Keys are "Type.field".
 */
import type { Located } from '../../../model/located-tree.ts';

export interface Refused {
  /** Completes "FIELD is not supported: …". */
  readonly why: string;
  /** The effect with `--ignore-unsupported`; completes "then …". */
  readonly ignored: string;
  /** Whether this value requests anything; absent: every value that is neither empty nor false. */
  readonly asks?: (value: Located) => boolean;
}

const NOTHING_DEPLOYED = 'nothing is deployed by it';
const BUILT_HERE = 'images are built on this machine';
const AS_RENDERED = 'manifests stay as they are';

/** Flags for the behaviour that server-side apply has anyway. */
const APPLY_FLAGS = new Set(['--server-side', '--force-conflicts']);

export const REFUSED: Readonly<Record<string, Refused>> = {
  'BuildConfig.cluster': { why: 'no image is built in a cluster', ignored: BUILT_HERE },
  'BuildConfig.googleCloudBuild': { why: 'no image is built in a cloud', ignored: BUILT_HERE },
  'DeployConfig.cloudrun': {
    why: 'Lifehook deploys only to Kubernetes',
    ignored: NOTHING_DEPLOYED,
  },
  'DeployConfig.docker': { why: 'Lifehook deploys only to Kubernetes', ignored: NOTHING_DEPLOYED },
  'DeployConfig.kpt': { why: 'kpt is not run', ignored: NOTHING_DEPLOYED },
  'HelmDeployFlags.install': {
    why: 'releases are rendered and applied, and not installed by helm',
    ignored: 'releases are applied without these flags',
  },
  'HelmDeployFlags.upgrade': {
    why: 'releases are rendered and applied, and not upgraded by helm',
    ignored: 'releases are applied without these flags',
  },
  'HelmRelease.packaged': {
    why: 'charts are not packaged',
    ignored: 'the chart is rendered with its own versions',
  },
  'HelmRelease.upgradeOnChange': {
    why: 'every release is applied in every run',
    ignored: 'the release is applied nevertheless',
    asks: (value) => value.kind === 'scalar' && value.value === false,
  },
  'KubectlDeploy.remoteManifests': {
    why: 'no manifest is read from a cluster',
    ignored: 'remote manifests are not deployed',
  },
  'KubectlFlags.apply': {
    why: 'objects are applied without kubectl',
    ignored: 'objects are applied without these flags',
    asks: (value) => !onlyKnown(value, APPLY_FLAGS),
  },
  'KubectlFlags.delete': {
    why: 'objects are deleted without kubectl',
    ignored: 'objects are deleted without these flags',
  },
  'KubectlFlags.global': {
    why: 'objects are applied without kubectl',
    ignored: 'objects are applied without these flags',
  },
  'KubernetesClusterVerifier.jobManifestPath': {
    why: 'Lifehook runs a verification as a pod with its container, not as the Job of a manifest',
    ignored: 'the manifest is not used',
  },
  'KubernetesClusterVerifier.overrides': {
    why: 'Lifehook runs a verification as a pod with its container, unchanged',
    ignored: 'the verification runs without the overrides',
  },
  'RenderConfig.kpt': { why: 'kpt is not run', ignored: 'the manifests of kpt are not deployed' },
  'RenderConfig.remoteManifests': {
    why: 'no manifest is read from a cluster',
    ignored: 'remote manifests are not deployed',
  },
  'RenderConfig.transform': { why: 'functions of kpt are not run', ignored: AS_RENDERED },
  'RenderConfig.validate': {
    why: 'functions of kpt are not run',
    ignored: 'manifests are not checked by functions of kpt',
  },
  'ResourceSelectorConfig.deny': {
    why: 'images are set in the containers of every kind of object',
    ignored: 'images are set in objects of these kinds too',
  },
  'VerifyExecutionModeConfig.local': {
    why: 'verifications run in pods of the cluster',
    ignored: 'the verification runs in a pod of the cluster',
  },
};

const BUILDER: Refused = {
  why: 'Lifehook does not run this builder itself',
  ignored: 'the image is not built',
};

/**
 * Builders of an artifact that are refused, unless `folderBuilders` of lifehook.yaml replaces the builder of the image.
 */
export const REFUSED_BUILDERS: Readonly<Record<string, Refused>> = {
  'Artifact.bazel': BUILDER,
  'Artifact.buildpacks': BUILDER,
  'Artifact.jib': BUILDER,
  'Artifact.kaniko': BUILDER,
  'Artifact.ko': BUILDER,
};

/**
 * Sources of a requirement that are refused, each with the reason. `--ignore-unsupported` does not accept them, since
 * the requirement would be missing.
 */
export const REFUSED_SOURCES: Readonly<Record<string, string>> = {
  'ConfigDependency.git': 'nothing is fetched from git',
  'ConfigDependency.googleCloudBuildRepoV2': 'nothing is fetched from Google Cloud Build',
  'ConfigDependency.googleCloudStorage': 'nothing is fetched from Google Cloud Storage',
};

/** Fields without effect, each with the reason; completes "it has no effect: …". */
export const IDLE: Readonly<Record<string, string>> = {
  'Artifact.runtimeType': 'only a debugger needs it',
  'BuildConfig.insecureRegistries': 'the program that pushes uses its own settings',
  'HelmRelease.dependsOn': 'the objects of all releases are applied together, in their order',
  'HelmRelease.recreatePods': 'pods are replaced when their template changes, as by helm 3',
  'HelmRelease.wait': 'the status check waits',
  'KubectlFlags.disableValidation': 'only the API server checks objects',
  'LegacyHelmDeploy.concurrency': 'releases are rendered one after another',
  'LocalBuild.tryImportMissing': 'a missing image is built',
  'LocalBuild.useBuildkit': 'the program that builds uses its own settings',
  'LocalBuild.useDockerCLI': 'images are always built by a command line program',
  'LogsConfig.jsonParse': 'lines of logs are printed as they are',
  'Metadata.annotations': 'nothing reads them',
  'Metadata.labels': 'nothing reads them',
  'RenderConfig.output': 'render --output says where manifests are written',
  'ResourceSelectorConfig.allow': 'images are set in the containers of every kind of object',
  'SkaffoldConfig.customActions': 'no command runs them',
};

export type FieldEffect =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly rule: Refused }
  | { readonly kind: 'refusedAlways'; readonly why: string }
  | { readonly kind: 'idle'; readonly reason: string };

/** The effect of a field, named "Type.field". A field of a profile has the effect of the field that it overrides. */
export function effectOf(field: string): FieldEffect {
  const rule = REFUSED[field] ?? REFUSED_BUILDERS[field];
  if (rule !== undefined) return { kind: 'refused', rule };
  const why = REFUSED_SOURCES[field];
  if (why !== undefined) return { kind: 'refusedAlways', why };
  const reason = IDLE[field];
  if (reason !== undefined) return { kind: 'idle', reason };
  const [type, name] = field.split('.');
  return type === 'Profile' ? effectOf(`SkaffoldConfig.${name}`) : { kind: 'done' };
}

/** Whether a value requests anything: empty, null and false ones do not. */
export function asksFor(value: Located): boolean {
  switch (value.kind) {
    case 'scalar':
      return ![null, '', false, 0].some((nothing) => nothing === value.value);
    case 'list':
      return value.items.length > 0;
    case 'map':
      return true;
    default:
      return value satisfies never;
  }
}

function onlyKnown(value: Located, known: ReadonlySet<string>): boolean {
  if (value.kind !== 'list') return !asksFor(value);
  return value.items.every(
    (item) => item.kind === 'scalar' && known.has(item.text.replace(/=true$/, '')),
  );
}
