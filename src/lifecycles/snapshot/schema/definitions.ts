/**
 * The custom resource definitions of the snapshot lifecycle. `deploy/crds/` has them as files, made by
 * `scripts/generate-crds.ts`; `lifehook install` and the local cluster take them from here.
 */
import type { KubeObject } from '../../../kube/object.ts';
import { actionsSchema } from './action-schema.ts';
import { hookSpecSchema, hookStatusSchema } from './hook-schema.ts';
import { snapshotSpecSchema } from './snapshot-schema.ts';
import { snapshotStatusSchema } from './snapshot-status-schema.ts';
import { type StructuralSchema, structuralSchema, unbounded } from './structural-schema.ts';
import {
  hookRules,
  type RulesByPlace,
  snapshotRules,
  templateRules,
  withRules,
} from './validation-rules.ts';

export interface Definition extends KubeObject {
  apiVersion: 'apiextensions.k8s.io/v1';
  kind: 'CustomResourceDefinition';
  metadata: { name: string };
  spec: {
    group: string;
    scope: 'Namespaced';
    names: DefinitionNames;
    versions: [DefinitionVersion];
  };
}

export interface DefinitionNames {
  kind: string;
  listKind: string;
  plural: string;
  singular: string;
  shortNames: string[];
  categories: string[];
}

export interface DefinitionVersion {
  name: string;
  served: true;
  storage: true;
  schema: { openAPIV3Schema: StructuralSchema };
  subresources?: { status: Record<string, never> };
  additionalPrinterColumns: PrinterColumn[];
}

export interface PrinterColumn {
  name: string;
  type: 'string' | 'boolean' | 'integer' | 'date';
  jsonPath: string;
  description?: string;
}

/**
 * All three. With `cel` they carry the rules that a server of 1.25 or later keeps by itself; an older one
 * needs them without, and kubectl refuses the others there.
 */
export function lifehookDefinitions({ cel }: { readonly cel: boolean }): readonly Definition[] {
  return KINDS.map((kind) => definition(kind, cel));
}

const GROUP = 'lifehook.dev';
const VERSION = 'v1alpha1';

interface KindSpec {
  readonly kind: string;
  readonly shortName: string;
  readonly description: string;
  /** What stands beside metadata. */
  readonly body: () => Readonly<Record<string, StructuralSchema>>;
  readonly required: readonly string[];
  readonly rules: RulesByPlace;
  readonly columns: readonly PrinterColumn[];
}

const AGE: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

const KINDS: readonly KindSpec[] = [
  {
    kind: 'ExecutionHook',
    shortName: 'eh',
    description:
      'Freezes an application when it is created, and thaws it when it is deleted, released or expired.',
    body: () => ({
      spec: structuralSchema(hookSpecSchema),
      status: unbounded(structuralSchema(hookStatusSchema)),
    }),
    required: ['spec'],
    rules: hookRules,
    columns: [
      {
        name: 'Pre',
        type: 'boolean',
        jsonPath: '.status.preActionSucceed',
        description: 'Whether all targets are frozen.',
      },
      {
        name: 'Post',
        type: 'boolean',
        jsonPath: '.status.postActionSucceed',
        description: 'Whether all targets are thawed.',
      },
      {
        name: 'Release',
        type: 'string',
        jsonPath: '.status.release.cause',
        description: 'Why the thaw began.',
      },
      AGE,
    ],
  },
  {
    kind: 'ExecutionHookTemplate',
    shortName: 'eht',
    description: 'What hooks do, to be named by them. It stands at the top: there is no spec.',
    body: () => structuralSchema(actionsSchema).properties ?? {},
    required: [],
    rules: templateRules,
    columns: [{ name: 'Policy', type: 'string', jsonPath: '.policy' }, AGE],
  },
  {
    kind: 'ApplicationSnapshot',
    shortName: 'appsnap',
    description: 'Snapshots of the volumes of an application, cut while its hooks hold it frozen.',
    body: () => ({
      spec: structuralSchema(snapshotSpecSchema),
      status: unbounded(structuralSchema(snapshotStatusSchema)),
    }),
    required: ['spec'],
    rules: snapshotRules,
    columns: [
      { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
      {
        name: 'Verdict',
        type: 'string',
        jsonPath: '.status.verdict.value',
        description: 'What it can be trusted for.',
      },
      { name: 'Reason', type: 'string', jsonPath: '.status.verdict.reason' },
      {
        name: 'Freeze-Ms',
        type: 'integer',
        jsonPath: '.status.verdict.freezeWindowMs',
        description: 'From the first preAction to the last thaw, milliseconds.',
      },
      AGE,
    ],
  },
];

function definition(kind: KindSpec, cel: boolean): Definition {
  const singular = kind.kind.toLowerCase();
  const plural = `${singular}s`;
  const body = kind.body();
  const plain: StructuralSchema = {
    type: 'object',
    description: kind.description,
    ...(kind.required.length === 0 ? {} : { required: [...kind.required] }),
    properties: { ...META, ...body },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural,
        singular,
        shortNames: [kind.shortName],
        categories: ['lifehook'],
      },
      versions: [
        {
          name: VERSION,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: cel ? withRules(plain, kind.rules) : plain },
          ...('status' in body ? { subresources: { status: {} } } : {}),
          additionalPrinterColumns: [...kind.columns],
        },
      ],
    },
  };
}

const META: Readonly<Record<string, StructuralSchema>> = {
  apiVersion: { type: 'string', description: 'The version of the schema of this object.' },
  kind: { type: 'string', description: 'The kind of this object.' },
  metadata: { type: 'object' },
};
