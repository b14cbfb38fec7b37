/**
 * The generated files of deploy/chart. The helpers, NOTES.txt and everything that `lifehook install` does not print are
 * written by hand.
 */
import { lifehookDefinitions } from '../../src/cli/install/all-definitions.ts';
import { version } from '../../src/cli/version.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { yamlDocuments, yamlText } from '../../src/model/yaml-text.ts';
import type { GeneratedFile } from '../crd-files.ts';
import { controllerTemplates } from './controller-templates.ts';
import { dashboard } from './dashboard.ts';
import { valuesSchema, valuesText } from './values.ts';

const BY = 'Generated: npx tsx scripts/generate-install.ts';

export function chartFiles(): readonly GeneratedFile[] {
  return [
    file('Chart.yaml', `# ${BY}\n${yamlText(CHART, { singleQuote: true })}`),
    file('values.yaml', `# ${BY}\n${valuesText()}`),
    file('values.schema.json', `${JSON.stringify(valuesSchema(), null, 2)}\n`),
    file(
      'files/kinds.yaml',
      `# ${BY}\n${yamlDocuments(lifehookDefinitions().map(keptAtUninstall), { singleQuote: true })}`,
    ),
    file('files/dashboard.json', `${JSON.stringify(dashboard(), null, 2)}\n`),
    ...controllerTemplates().map(({ path, text }) =>
      file(`templates/${path}`, `{{- /* ${BY} */ -}}\n${text}`),
    ),
  ];
}

const CHART = {
  apiVersion: 'v2',
  name: 'lifehook',
  description: 'Hooks that are proven to have run, around snapshots, rollouts and pods.',
  type: 'application',
  version,
  appVersion: version,
  kubeVersion: '>=1.30.0-0',
  home: 'https://github.com/lifehook/lifehook',
  sources: ['https://github.com/lifehook/lifehook'],
  keywords: ['hooks', 'snapshot', 'backup', 'rollout', 'migration'],
};

/** `helm uninstall` keeps the definitions, and with them every object of a user. */
function keptAtUninstall(definition: KubeObject): KubeObject {
  const { metadata } = definition;
  const annotations = { ...metadata?.annotations, 'helm.sh/resource-policy': 'keep' };
  return { ...definition, metadata: { ...metadata, annotations } };
}

function file(path: string, text: string): GeneratedFile {
  return { path: `deploy/chart/${path}`, text };
}
