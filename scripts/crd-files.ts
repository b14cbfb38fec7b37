/** The files that are made of the kinds' schemas: for kubectl, and for the local cluster, which starts without zod. */
import { createHash } from 'node:crypto';
import { stringify } from 'yaml';

import { lifehookDefinitions } from '../src/cli/install/all-definitions.ts';

export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

/** What it was made of: by this the local cluster knows whether it has this very definition. */
const DEFINITION = 'lifehook.dev/definition';
const DIGEST_CHARACTERS = 16;

const PLAIN = `# The kinds of Lifehook for Kubernetes 1.20 and later. Generated: npx tsx scripts/generate-crds.ts\n`;
const CEL = `# The kinds of Lifehook for Kubernetes 1.25 and later, with rules that the server keeps by itself.
# Generated: npx tsx scripts/generate-crds.ts\n`;

export function crdFiles(): readonly GeneratedFile[] {
  return [
    { path: 'deploy/crds/lifehook-crds.yaml', text: PLAIN + documents(false) },
    { path: 'deploy/crds/lifehook-crds-cel.yaml', text: CEL + documents(true) },
    { path: 'src/cli/cluster/lifehook-kinds.json', text: oneLineEach() },
  ];
}

function documents(cel: boolean): string {
  const texts = lifehookDefinitions({ cel }).map((definition) =>
    stringify(definition, { aliasDuplicateObjects: false, lineWidth: 0, singleQuote: true }),
  );
  return texts.join('---\n');
}

function oneLineEach(): string {
  const lines = lifehookDefinitions({ cel: false }).map((definition) => {
    const digest = createHash('sha256').update(JSON.stringify(definition)).digest('hex');
    const annotations = { [DEFINITION]: digest.slice(0, DIGEST_CHARACTERS) };
    return JSON.stringify({ ...definition, metadata: { ...definition.metadata, annotations } });
  });
  return `[\n${lines.join(',\n')}\n]\n`;
}
