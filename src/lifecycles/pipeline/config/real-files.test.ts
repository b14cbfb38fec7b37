import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import type { StageHooks } from '../hooks/model.ts';
import type { ModuleConfig } from './model.ts';
import { readPipeline } from './read-pipeline.ts';
import { VERSIONS } from './upgrade/versions.ts';

const FOLDER = 'test/fixtures/pipeline/configs';
const names = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));

const commands = (stage: StageHooks): string[] =>
  [...stage.before, ...stage.after].map(
    ({ address, action }) => `${address}: ${action.command.join(' ')}`,
  );

/** What the phases act on, in a few lines. */
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

describe('typical Skaffold files', () => {
  it('number at least 40 and cover at least 35 of the supported versions', () => {
    expect(names.length).toBeGreaterThanOrEqual(40);
    const series = new Set(names.map((name) => name.split('-')[0] ?? ''));
    expect([...series].filter((one) => !VERSIONS.includes(one))).toEqual([]);
    expect(series.size).toBeGreaterThanOrEqual(35);
  });

  it.each(names)('%s is read', async (name) => {
    const text = readFileSync(`${FOLDER}/${name}`, 'utf8');
    const { config, warnings } = await readPipeline({
      file: '/p/skaffold.yaml',
      profiles: [],
      env: { CI: 'true' },
      command: 'build',
      facts: {
        readText: async (path) => (path === '/p/skaffold.yaml' ? text : null),
        isFolder: async () => false,
        kubeContext: async () => 'kind-dev',
      },
    });
    expect({
      profiles: config.profiles,
      modules: config.modules.map((one) => essence(one)),
      unused: config.unusedFields.map(({ path, at }) => `${path} at ${at.line}:${at.column}`),
      warnings: warnings.map(({ code }) => code),
    }).toMatchSnapshot();
  });
});
