/** Converts the sections for rendering and deployment. Pure. */
import type { Located } from '../../../../model/located-tree.ts';
import { asksFor } from '../field-effects.ts';
import type { DeployConfig, HelmFlags, HelmRelease, ManifestsConfig } from '../model.ts';
import { listAt, mapAt, partAt, plainValue, textAt } from '../tree-edit.ts';
import { entries, numberAt, texts } from './convert-build.ts';
import { convertHooks } from './convert-hooks.ts';

/** Seconds until a deployment that does not become ready has failed, as in skaffold. */
const STATUS_CHECK_SECONDS = 600;

export function convertManifests(tree: Located | undefined, folder: string): ManifestsConfig {
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

export function convertDeploy(tree: Located | undefined, folder: string): DeployConfig {
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
      numberAt(tree, 'statusCheckDeadlineSeconds') ?? STATUS_CHECK_SECONDS,
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

/** {a: {b: x}, c: [y]} -> {"a.b": x, "c[0]": y}, as `helm --set` names them. */
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
