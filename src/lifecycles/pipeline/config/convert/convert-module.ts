/** Converts one upgraded, checked configuration with its profiles applied into the model of the phases. Pure. */
import type { Located, LocatedMap } from '../../../../model/located-tree.ts';
import { asksFor } from '../field-effects.ts';
import type {
  DeployConfig,
  HelmFlags,
  HelmRelease,
  ManifestsConfig,
  ModuleConfig,
  PortForwardConfig,
  TestConfig,
  VerifyConfig,
} from '../model.ts';
import { folderOf, resolveFrom } from '../paths.ts';
import { listAt, mapAt, partAt, plainValue, textAt } from '../tree-edit.ts';
import { convertBuild, convertDependencies, entries, numberAt, texts } from './convert-build.ts';
import { convertHooks } from './convert-hooks.ts';

const LOOPBACK = '127.0.0.1';

export function convertModule(
  tree: LocatedMap,
  { file, apiVersion }: { file: string; apiVersion: string },
): ModuleConfig {
  const folder = folderOf(file);
  return {
    name: textAt(tree, 'metadata', 'name') ?? null,
    file,
    folder,
    apiVersion,
    build: convertBuild(partAt(tree, 'build'), folder),
    test: listAt(tree, 'test').map((one) => convertTest(one, folder)),
    manifests: convertManifests(partAt(tree, 'manifests'), folder),
    deploy: convertDeploy(partAt(tree, 'deploy'), folder),
    portForward: listAt(tree, 'portForward').map((one) => convertForward(one)),
    verify: listAt(tree, 'verify').map((one) => convertVerify(one)),
  };
}

function convertTest(tree: Located, folder: string): TestConfig {
  return {
    image: textAt(tree, 'image') ?? '',
    context: resolveFrom(folder, textAt(tree, 'context') ?? '.'),
    custom: listAt(tree, 'custom').map((one) => ({
      command: textAt(one, 'command') ?? '',
      timeoutSeconds: secondsAt(one, 'timeoutSeconds'),
      dependencies: convertDependencies(partAt(one, 'dependencies')),
    })),
    structureTests: texts(tree, 'structureTests'),
    structureTestsArgs: texts(tree, 'structureTestsArgs'),
  };
}

function convertForward(tree: Located): PortForwardConfig {
  const namespace = textAt(tree, 'namespace');
  const localPort = numberAt(tree, 'localPort');
  return {
    resourceType: textAt(tree, 'resourceType') ?? '',
    resourceName: textAt(tree, 'resourceName') ?? '',
    ...(namespace !== undefined && { namespace }),
    port: numberAt(tree, 'port') ?? textAt(tree, 'port') ?? '',
    address: textAt(tree, 'address') ?? LOOPBACK,
    ...(localPort !== null && { localPort }),
  };
}

function convertVerify(tree: Located): VerifyConfig {
  return {
    name: textAt(tree, 'name') ?? '',
    timeoutSeconds: numberAt(tree, 'timeout'),
    container: {
      name: textAt(tree, 'container', 'name') ?? '',
      image: textAt(tree, 'container', 'image') ?? '',
      command: texts(tree, 'container', 'command'),
      args: texts(tree, 'container', 'args'),
      env: listAt(tree, 'container', 'env').map((one) => ({
        name: textAt(one, 'name') ?? '',
        value: textAt(one, 'value') ?? '',
      })),
    },
    execution:
      partAt(tree, 'executionMode', 'kubernetesCluster') === undefined
        ? 'local'
        : 'kubernetesCluster',
  };
}

/** null: the number is absent or 0, which is the same in skaffold. */
function secondsAt(tree: Located | undefined, name: string): number | null {
  const seconds = numberAt(tree, name);
  return seconds === 0 ? null : seconds;
}

/** Seconds after which a deployment that is not ready has failed, as in skaffold. */
const STATUS_CHECK_SECONDS = 600;

function convertManifests(tree: Located | undefined, folder: string): ManifestsConfig {
  const kustomize = mapAt(tree, 'kustomize');
  const helm = mapAt(tree, 'helm');
  const paths = texts(kustomize, 'paths');
  return {
    rawYaml: texts(tree, 'rawYaml'),
    kustomize:
      kustomize === undefined
        ? null
        : { paths: paths.length > 0 ? paths : ['.'], buildArgs: texts(kustomize, 'buildArgs') },
    helm: helm === undefined ? null : { releases: releasesOf(helm), flags: helmFlags(helm) },
    hooks: convertHooks(partAt(tree, 'hooks'), {
      address: 'render',
      phase: 'render',
      place: 'render',
      folder,
    }),
  };
}

function convertDeploy(tree: Located | undefined, folder: string): DeployConfig {
  const [kubectl, helm] = [mapAt(tree, 'kubectl'), mapAt(tree, 'helm')];
  const elsewhere = ['cloudrun', 'docker', 'kpt'].some((name) => asks(partAt(tree, name)));
  const defaultNamespace = textAt(kubectl, 'defaultNamespace');
  const [kubeContext, contextPart] = [textAt(tree, 'kubeContext'), partAt(tree, 'kubeContext')];
  const place = { phase: 'deploy', place: 'deploy', folder } as const;
  const isDefault = helm === undefined && !elsewhere;
  return {
    // Without any deployer, kubectl is used.
    kubectl:
      kubectl === undefined && !isDefault
        ? null
        : {
            ...(defaultNamespace !== undefined && { defaultNamespace }),
            hooks: convertHooks(partAt(kubectl, 'hooks'), { ...place, address: 'deploy/kubectl' }),
          },
    helm:
      helm === undefined
        ? null
        : {
            releases: releasesOf(helm),
            flags: helmFlags(helm),
            hooks: convertHooks(partAt(helm, 'hooks'), { ...place, address: 'deploy/helm' }),
          },
    ...(kubeContext !== undefined && { kubeContext }),
    ...(contextPart !== undefined && { kubeContextAt: contextPart.at }),
    statusCheck: textAt(tree, 'statusCheck') !== 'false',
    statusCheckDeadlineSeconds:
      secondsAt(tree, 'statusCheckDeadlineSeconds') ?? STATUS_CHECK_SECONDS,
    tolerateFailuresUntilDeadline: textAt(tree, 'tolerateFailuresUntilDeadline') === 'true',
    logsPrefix: (textAt(tree, 'logs', 'prefix') ?? 'container') as DeployConfig['logsPrefix'],
  };
}

const asks = (part: Located | undefined): boolean => part !== undefined && asksFor(part);

function helmFlags(tree: Located): HelmFlags {
  return {
    global: texts(tree, 'flags', 'global'),
    template: texts(tree, 'flags', 'template'),
    depBuild: texts(tree, 'flags', 'depBuild'),
  };
}

function releasesOf(tree: Located): readonly HelmRelease[] {
  return listAt(tree, 'releases').map((one) => {
    const optional = ['chartPath', 'remoteChart', 'version', 'repo', 'namespace'].flatMap(
      (name) => {
        const text = textAt(one, name);
        return text === undefined ? [] : [[name, text] as const];
      },
    );
    const overrides = partAt(one, 'overrides');
    const on = (name: string): boolean => textAt(one, name) === 'true';
    return {
      name: textAt(one, 'name') ?? '',
      ...Object.fromEntries(optional),
      createNamespace: on('createNamespace'),
      skipTests: on('skipTests'),
      useHelmSecrets: on('useHelmSecrets'),
      valuesFiles: texts(one, 'valuesFiles'),
      setValues: leaves(partAt(one, 'setValues'), ''),
      setValueTemplates: leaves(partAt(one, 'setValueTemplates'), ''),
      setFiles: entries(one, 'setFiles'),
      overrides: overrides === undefined ? null : plainValue(overrides),
      skipBuildDependencies: on('skipBuildDependencies'),
    };
  });
}

/** Flattens a tree to names as in `helm --set`: {a: {b: x}, c: [y]} becomes {"a.b": x, "c[0]": y}. */
function leaves(tree: Located | undefined, key: string): Record<string, string> {
  if (tree === undefined) return {};
  if (tree.kind === 'scalar') return { [key]: tree.value === null ? '' : tree.text };
  const parts =
    tree.kind === 'list'
      ? tree.items.map((item, index) => leaves(item, `${key}[${index}]`))
      : [...tree.fields].map(([name, { value }]) =>
          leaves(value, key === '' ? name : `${key}.${name}`),
        );
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
}
