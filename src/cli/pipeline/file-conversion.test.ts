import { expect, it } from 'vitest';

import type { PipelineHook } from '../../lifecycles/pipeline/hooks/model.ts';
import { DEFAULT_POLICY } from '../../lifecycles/pipeline/hooks/model.ts';
import { convertPipeline } from './file-conversion.ts';

const hook = (address: string, ...command: string[]): PipelineHook => ({
  address,
  name: address,
  phase: 'build',
  when: 'before',
  action: { kind: 'host', command },
  policy: DEFAULT_POLICY,
  at: { file: 'skaffold.yaml', line: 1, column: 1 },
});

const OLD = `apiVersion: skaffold/v2beta29
kind: Config
deploy: { kubectl: { manifests: [k8s/*.yaml] } }
`;
const input = { file: 'skaffold.yaml', hooks: [], hasLifehookFile: false };

it('convertPipeline upgrades an old file to the newest version, and reports a changed format', () => {
  const { skaffold, lifehook, problems } = convertPipeline({ ...input, text: OLD });
  expect(skaffold).toBe(`apiVersion: skaffold/v4beta14
kind: Config
deploy:
  kubectl: {}
manifests:
  rawYaml:
    - k8s/*.yaml
`);
  expect(lifehook).toBeNull();
  expect(problems.map(({ code }) => code)).toEqual(['LHG061']);
});

it('convertPipeline keeps a new file, and lists the addresses of its hooks for policies', () => {
  const hooks = [hook('build/web/before/0', 'sh', '-c', 'a\nb'), hook('deploy/helm/after/0', 'x')];
  const text = 'apiVersion: skaffold/v4beta14\nkind: Config\n';
  const { skaffold, lifehook, problems } = convertPipeline({ ...input, text, hooks });
  expect(skaffold).toBeNull();
  expect(problems).toEqual([]);
  expect(lifehook).toContain(`policies:
  "build/web/before/0": {} # sh -c a b
  "deploy/helm/after/0": {} # x
`);
  expect(convertPipeline({ ...input, text, hooks, hasLifehookFile: true }).lifehook).toBeNull();
});

it('convertPipeline reports a version that cannot be upgraded', () => {
  const text = 'apiVersion: skaffold/v9\nkind: Config\n';
  expect(convertPipeline({ ...input, text }).problems.map(({ code }) => code)).toContain('LHL101');
});
