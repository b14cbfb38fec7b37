/** The files of deploy/crds/, from the schemas of the kinds. */
import { stringify } from 'yaml';

import { lifehookDefinitions } from '../src/lifecycles/snapshot/schema/definitions.ts';

export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

const PLAIN = `# The kinds of Lifehook for Kubernetes 1.20 and later. Generated: npx tsx scripts/generate-crds.ts\n`;
const CEL = `# The kinds of Lifehook for Kubernetes 1.25 and later, with rules that the server keeps by itself.
# Generated: npx tsx scripts/generate-crds.ts\n`;

export function crdFiles(): readonly GeneratedFile[] {
  return [
    { path: 'deploy/crds/lifehook-crds.yaml', text: PLAIN + documents(false) },
    { path: 'deploy/crds/lifehook-crds-cel.yaml', text: CEL + documents(true) },
  ];
}

function documents(cel: boolean): string {
  const texts = lifehookDefinitions({ cel }).map((definition) =>
    stringify(definition, { aliasDuplicateObjects: false, lineWidth: 0, singleQuote: true }),
  );
  return texts.join('---\n');
}
