/**
 * The fields of skaffold/v4 by the name of their type, from its published schema (newest: v4beta14). A type is
 * "string", "integer", "string|integer", "boolean", "any", or the name of a type; "[]" before it means a list, and "{}"
 * a map.
 */
import table from './v4-fields.json' with { type: 'json' };

export const ROOT_TYPE = 'SkaffoldConfig';

const types: Readonly<Record<string, Readonly<Record<string, string>>>> = table;

/** The fields of a type; null: the type has no fields. */
export function fieldsOf(type: string): Readonly<Record<string, string>> | null {
  return Object.hasOwn(types, type) ? (types[type] ?? null) : null;
}

export const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  Artifact: ['image'],
  ArtifactDependency: ['image'],
  CustomTemplateTagger: ['template'],
  CustomTest: ['command'],
  DockerSecret: ['id'],
  EnvTemplateTagger: ['template'],
  HelmRelease: ['name'],
  JSONPatch: ['path'],
  PortForwardResource: ['resourceType', 'resourceName', 'port'],
  Profile: ['name'],
  ProfileDependency: ['name'],
  TaggerComponent: ['name'],
  TestCase: ['image'],
  VerifyContainer: ['name', 'image'],
  VerifyTestCase: ['name', 'container'],
};

const TAGGERS = ['gitCommit', 'sha256', 'envTemplate', 'dateTime', 'customTemplate', 'inputDigest'];

/** Mutually exclusive fields. */
export const ONE_OF: Readonly<Record<string, readonly string[]>> = {
  Artifact: ['docker', 'bazel', 'ko', 'jib', 'kaniko', 'buildpacks', 'custom'],
  BuildConfig: ['local', 'googleCloudBuild', 'cluster'],
  ConfigDependency: ['path', 'git', 'googleCloudStorage', 'googleCloudBuildRepoV2'],
  CustomDependencies: ['paths', 'command', 'dockerfile'],
  CustomTestDependencies: ['paths', 'command'],
  HelmRelease: ['chartPath', 'remoteChart'],
  Sync: ['manual', 'infer', 'auto'],
  TagPolicy: TAGGERS,
  TaggerComponent: TAGGERS,
};

export const WORDS: Readonly<Record<string, readonly string[]>> = {
  'GitTagger.variant': [
    'Tags',
    'CommitSha',
    'AbbrevCommitSha',
    'TreeSha',
    'AbbrevTreeSha',
    'Branches',
  ],
  'LogsConfig.prefix': ['auto', 'container', 'podAndContainer', 'none'],
  'JSONPatch.op': ['add', 'remove', 'replace', 'copy', 'move', 'test'],
};

/** The right place of fields that users often write in a wrong place (PIPE-CASE11). */
export const BELONGS: Readonly<Record<string, string>> = {
  'Artifact.after': 'hooks.after',
  'Artifact.before': 'hooks.before',
  'Artifact.buildArgs': 'docker.buildArgs',
  'Artifact.buildCommand': 'custom.buildCommand',
  'Artifact.dependencies': 'custom.dependencies',
  'Artifact.dockerfile': 'docker.dockerfile',
  'Artifact.noCache': 'docker.noCache',
  'Artifact.target': 'docker.target',
  'BuildConfig.concurrency': 'build.local.concurrency',
  'BuildConfig.push': 'build.local.push',
  'DeployConfig.hooks': 'deploy.kubectl.hooks or deploy.helm.hooks',
  'DeployConfig.kustomize': 'manifests.kustomize',
  'DeployConfig.manifests': 'manifests.rawYaml',
  'DeployConfig.rawYaml': 'manifests.rawYaml',
  'DeployConfig.releases': 'deploy.helm.releases',
  'KubectlDeploy.after': 'deploy.kubectl.hooks.after',
  'KubectlDeploy.before': 'deploy.kubectl.hooks.before',
  'KubectlDeploy.manifests': 'manifests.rawYaml',
  'KubectlDeploy.paths': 'manifests.kustomize.paths',
  'RenderConfig.kubectl': 'deploy.kubectl',
  'RenderConfig.manifests': 'manifests.rawYaml',
  'SkaffoldConfig.activation': 'profiles[].activation',
  'SkaffoldConfig.artifacts': 'build.artifacts',
  'SkaffoldConfig.helm': 'deploy.helm',
  'SkaffoldConfig.hooks':
    'build.hooks, build.artifacts[].hooks, deploy.kubectl.hooks or manifests.hooks',
  'SkaffoldConfig.kubeContext': 'deploy.kubeContext',
  'SkaffoldConfig.kubectl': 'deploy.kubectl',
  'SkaffoldConfig.kustomize': 'manifests.kustomize',
  'SkaffoldConfig.local': 'build.local',
  'SkaffoldConfig.name': 'metadata.name',
  'SkaffoldConfig.rawYaml': 'manifests.rawYaml',
  'SkaffoldConfig.sync': 'build.artifacts[].sync',
  'SkaffoldConfig.tagPolicy': 'build.tagPolicy',
  'Sync.after': 'sync.hooks.after',
  'Sync.before': 'sync.hooks.before',
  'Sync.dest': 'sync.manual[].dest',
  'Sync.src': 'sync.manual[].src',
};
