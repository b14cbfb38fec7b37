import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { LifehookError } from '../../../model/problem.ts';
import type { StageHooks } from '../hooks/model.ts';
import type { ModuleConfig } from './model.ts';
import { type ReadPipeline, readPipeline } from './read-pipeline.ts';
import { VERSIONS } from './upgrade/upgrade.ts';

const FOLDER = 'test/fixtures/pipeline/configs';
const names = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));

const commands = (stage: StageHooks): string[] =>
  [...stage.before, ...stage.after].map(
    ({ address, action }) => `${address}: ${action.command.join(' ')}`,
  );

/** The parts of the configuration that the phases use, in a few lines. */
function essence({ build, manifests, deploy, ...rest }: ModuleConfig): unknown {
  return {
    images: build.artifacts.map(({ image, builder, sync }) =>
      `${image} ${builder.kind} ${sync?.mode ?? ''}`.trim(),
    ),
    tags: build.tagPolicy.kind,
    manifests: [...manifests.rawYaml, ...(manifests.kustomize?.paths ?? [])],
    releases: [...(manifests.helm?.releases ?? []), ...(deploy.helm?.releases ?? [])].map(
      ({ name, chartPath, remoteChart, setValues, setValueTemplates }) =>
        `${name} ${chartPath ?? remoteChart ?? ''} ${JSON.stringify({ ...setValues, ...setValueTemplates })}`,
    ),
    hooks: [
      build.hooks,
      ...build.artifacts.flatMap((one) => [
        one.hooks,
        ...(one.sync === null ? [] : [one.sync.hooks]),
      ]),
      manifests.hooks,
      ...(deploy.kubectl === null ? [] : [deploy.kubectl.hooks]),
      ...(deploy.helm === null ? [] : [deploy.helm.hooks]),
    ].flatMap((stage) => commands(stage)),
    other: [...rest.portForward, ...rest.verify, ...rest.test].length,
  };
}

function read(
  name: string,
  ignoreUnsupported: boolean,
  profiles: string[] = [],
): Promise<ReadPipeline> {
  const text = readFileSync(`${FOLDER}/${name}`, 'utf8');
  return readPipeline({
    file: '/p/skaffold.yaml',
    profiles,
    env: { CI: 'true' },
    command: 'build',
    ignoreUnsupported,
    facts: {
      readText: async (path) => (path === '/p/skaffold.yaml' ? text : null),
      isFolder: async () => false,
      kubeContext: async () => 'kind-dev',
    },
  });
}

/** Files with an unsupported setting, each with the expected error. All other files are read without an error. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'v2alpha1-kaniko.yaml': ['9:5 LHL135 kaniko of web'],
  'v2beta24-ko.yaml': ['9:5 LHL135 ko of go'],
  'v2beta27-ko-platforms.yaml': ['9:5 LHL135 ko of go'],
  'v2beta4-buildpack.yaml': ['9:5 LHL135 buildpacks of node'],
  'v2beta5-jib.yaml': ['9:5 LHL135 jib of java'],
  'v2beta8-kpt.yaml': ['7:3 LHL135 deploy.kpt'],
  'v3-remote-manifests.yaml': ['8:5 LHL135 manifests.remoteManifests'],
  'v4beta2-cloud-run.yaml': ['13:3 LHL135 deploy.cloudrun'],
};

async function refusalsOf(name: string, profiles?: string[]): Promise<readonly string[]> {
  try {
    await read(name, false, profiles);
    return [];
  } catch (error) {
    if (!(error instanceof LifehookError)) throw error;
    return error.problems.map(
      ({ code, at, message }) => `${at?.line}:${at?.column} ${code} ${message.split(' is not')[0]}`,
    );
  }
}

describe('typical Skaffold files', () => {
  it.each(names)('%s is refused only where it says what is not done here', async (name) => {
    expect(await refusalsOf(name)).toEqual(REFUSED[name] ?? []);
  });

  it('are refused for a profile only when it is active', async () => {
    expect(await refusalsOf('v1-profiles-gcb.yaml', ['gcb'])).toEqual([
      '16:5 LHL135 build.googleCloudBuild',
    ]);
  });

  it('number at least 40 and cover at least 35 of the supported versions', () => {
    expect(names.length).toBeGreaterThanOrEqual(40);
    const series = new Set(names.map((name) => name.split('-')[0] ?? ''));
    expect([...series].filter((one) => !VERSIONS.includes(one))).toEqual([]);
    expect(series.size).toBeGreaterThanOrEqual(35);
  });

  it.each(names)('%s is read', async (name) => {
    const { config, warnings } = await read(name, true);
    expect({
      profiles: config.profiles,
      modules: config.modules.map((one) => essence(one)),
      unused: config.unusedFields.map(({ path, at }) => `${path} at ${at.line}:${at.column}`),
      warnings: warnings.map(({ code }) => code),
    }).toMatchSnapshot();
  });
});
