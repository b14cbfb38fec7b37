/** Converts one upgraded, checked configuration with its profiles applied into the model of the phases. Pure. */
import type { Located, LocatedMap } from '../../../../model/located-tree.ts';
import type { ModuleConfig, PortForwardConfig, TestConfig, VerifyConfig } from '../model.ts';
import { folderOf, resolveFrom } from '../paths.ts';
import { listAt, partAt, textAt } from '../tree-edit.ts';
import { convertBuild, convertDependencies, numberAt, texts } from './convert-build.ts';
import { convertDeploy, convertManifests } from './convert-deploy.ts';

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
      timeoutSeconds: numberAt(one, 'timeoutSeconds'),
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
