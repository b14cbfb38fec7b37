/**
 * Builds docs/reference: every command, every field of our kinds, of lifehook.yaml and of skaffold.yaml, every type
 * of the library. The command tree, the schemas that validate the files, and the compiler are the source.
 */
import { format } from 'oxfmt';

import type { StructuralSchema } from '../src/controller/definitions/structural-schema.ts';
import { lifehookDefinitions } from '../src/cli/install/all-definitions.ts';
import { lifehookJsonSchema } from '../src/lifecycles/pipeline/config/lifehook-schema.ts';
import { cliPage } from './reference-cli.ts';
import { libraryPage } from './reference-library.ts';
import { cell, fieldRows, type FieldRow, type FieldSchema } from './reference-rows.ts';
import { lifehookWords } from './reference-lifehook.ts';
import { skaffoldPage } from './reference-skaffold.ts';

export interface GeneratedPage {
  readonly path: string;
  readonly text: string;
}

const FOLDER = 'docs/reference';
const GENERATED = '<!-- Generated of the schemas: npx tsx scripts/generate-reference.ts -->';

/** The page and section that explain a kind. */
const EXPLAINED: Readonly<Record<string, string>> = {
  ExecutionHook: 'snapshots.md',
  ExecutionHookTemplate: 'snapshots.md',
  ApplicationSnapshot: 'snapshots.md',
  SnapshotSchedule: 'snapshot-schedule.md',
  SnapshotRestore: 'snapshot-restore.md',
  SnapshotGuard: 'snapshot-guard.md',
  DeploymentLifecycle: 'rollout.md',
  HookRun: 'rollout.md',
};

export async function referenceFiles(): Promise<readonly GeneratedPage[]> {
  const kinds = lifehookDefinitions().map((definition) => {
    const { kind, plural, shortNames } = definition.spec.names;
    const { openAPIV3Schema } = definition.spec.versions[0].schema;
    const name = kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
    const text = kindPage({
      kind,
      plural,
      shortName: shortNames[0] ?? '',
      schema: openAPIV3Schema,
    });
    return { path: `${FOLDER}/${name}.md`, text };
  });
  const pages = [
    ...kinds,
    { path: `${FOLDER}/cli.md`, text: cliPage() },
    { path: `${FOLDER}/lifehook-yaml.md`, text: lifehookPage() },
    { path: `${FOLDER}/library.md`, text: await libraryPage() },
    { path: `${FOLDER}/skaffold-yaml.md`, text: skaffoldPage(GENERATED) },
  ];
  return Promise.all(
    pages.map(async ({ path, text }) => ({
      path,
      text: (await format(path, text, { singleQuote: true, printWidth: 100 })).code,
    })),
  );
}

interface Kind {
  readonly kind: string;
  readonly plural: string;
  readonly shortName: string;
  readonly schema: StructuralSchema;
}

function kindPage({ kind, plural, shortName, schema }: Kind): string {
  const {
    apiVersion: _version,
    kind: _kind,
    metadata: _metadata,
    ...parts
  } = schema.properties ?? {};
  const { status, ...written } = parts;
  const page = EXPLAINED[kind] ?? 'README.md';
  const required = (schema.required ?? []).filter((name) => name in written);
  const own = fieldRows({ properties: written, required });
  const head = `# ${kind}

${GENERATED}

${schema.description ?? ''} \`lifehook.dev/v1alpha1\`, namespaced; \`kubectl get ${plural}\`, or \`${shortName}\`.
What it is for, and what each failure does: [${page}](../${page}).

## Spec fields

${table(own)}`;
  if (status === undefined) return head;
  const reported = fieldRows({ properties: { status } });
  return `${head}\n## Status fields\n\n${table(reported)}`;
}

function lifehookPage(): string {
  const rows = fieldRows(lifehookJsonSchema() as FieldSchema).map((row) => ({
    ...row,
    description: [lifehookWords(row.field), row.description].filter((one) => one !== '').join(' '),
  }));
  return `# lifehook.yaml

${GENERATED}

A lifehook.yaml is next to a skaffold.yaml. It has policies for the hooks of that file, more hooks, and folder builders; [pipeline.md](../pipeline.md)
explains them. Editors can use [its JSON Schema](../schema/lifehook.json). \`<name>\` is the address of a hook, a place or an image name.

${table(rows)}`;
}

function table(rows: readonly FieldRow[]): string {
  const lines = rows.map(({ field, type, isRequired, limits, description }) => {
    const what = [description, limits].filter((text) => text !== '').join(' ');
    return `| \`${field}\`${isRequired ? ' (required)' : ''} | ${cell(type)} | ${cell(what)} |\n`;
  });
  return `| field | type | what it is |\n| --- | --- | --- |\n${lines.join('')}`;
}
