/**
 * Generates files from the schemas of our kinds: a manifest for kubectl, and JSON for the local cluster, so that its
 * start need not load zod.
 */
import { createHash } from 'node:crypto';

import type { Definition } from '../src/controller/definitions/definition.ts';
import { lifehookDefinitions } from '../src/cli/install/all-definitions.ts';
import { yamlDocuments } from '../src/model/yaml-text.ts';

export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

/** Annotation with a hash of the definition. The local cluster compares it with that of the stored definition. */
const DEFINITION = 'lifehook.dev/definition';
const DIGEST_CHARACTERS = 16;

const HEAD = `# The kinds of Lifehook, with rules that the server keeps by itself. Generated: npx tsx scripts/generate-crds.ts\n`;

export function crdFiles(): readonly GeneratedFile[] {
  return [
    { path: 'deploy/crds/lifehook-crds.yaml', text: HEAD + documents() },
    { path: 'src/cli/cluster/lifehook-kinds.json', text: oneLineEach() },
  ];
}

function documents(): string {
  return yamlDocuments(lifehookDefinitions(), { singleQuote: true });
}

/** Drops the CEL rules, for the local cluster: its webhook checks the same rules, and CEL would need an engine. */
function withoutRules(key: string, value: unknown): unknown {
  return key === 'x-kubernetes-validations' ? undefined : value;
}

function oneLineEach(): string {
  const lines = lifehookDefinitions().map((definition) => {
    const plain = JSON.stringify(definition, withoutRules);
    const digest = createHash('sha256').update(plain).digest('hex');
    const annotations = { [DEFINITION]: digest.slice(0, DIGEST_CHARACTERS) };
    const parsed = JSON.parse(plain) as Definition;
    return JSON.stringify({ ...parsed, metadata: { ...parsed.metadata, annotations } });
  });
  return `[\n${lines.join(',\n')}\n]\n`;
}
