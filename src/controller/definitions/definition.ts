/** The custom resource definition of a kind: the parts that all of our kinds share. */
import type { KubeObject } from '../../kube/object.ts';
import { GROUP, VERSION } from '../../model/api-version.ts';
import type { Rule, StructuralSchema } from './structural-schema.ts';

/** A CustomResourceDefinition in the form that an API server accepts. */
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

interface PrinterColumn {
  name: string;
  type: ColumnType;
  jsonPath: string;
  description?: string;
}

type ColumnType = 'string' | 'boolean' | 'integer' | 'date';

/** A column of `kubectl get`: name, type, path, and a description if the name is not enough. */
export type Column = readonly [string, ColumnType, string, string?];

/**
 * CEL rules by the path of their field. They are written apart from the schemas; `withRules` inserts them. A path is
 * field names separated by dots, with "[]" for the items of a list.
 */
export type RulesByPlace = Readonly<Record<string, readonly Rule[]>>;

/** The specific parts of one kind. */
export interface DefinedKind {
  readonly kind: string;
  readonly shortName: string;
  readonly description: string;
  /** The top-level fields next to metadata. */
  readonly body: () => Readonly<Record<string, StructuralSchema>>;
  readonly required: readonly string[];
  readonly rules: RulesByPlace;
  /** Columns before the age, which every kind has as its last column. */
  readonly columns: readonly Column[];
}

const AGE: Column = ['Age', 'date', '.metadata.creationTimestamp'];

export function definition(kind: DefinedKind): Definition {
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
          schema: { openAPIV3Schema: withRules(plain, kind.rules) },
          ...('status' in body ? { subresources: { status: {} } } : {}),
          additionalPrinterColumns: [...kind.columns, AGE].map(printerColumn),
        },
      ],
    },
  };
}

function printerColumn([name, type, jsonPath, description]: Column): PrinterColumn {
  return { name, type, jsonPath, ...(description === undefined ? {} : { description }) };
}

/** The schema with its rules. Throws if the path of a rule does not exist. */
export function withRules(schema: StructuralSchema, rules: RulesByPlace): StructuralSchema {
  const copy = structuredClone(schema);
  for (const [place, standing] of Object.entries(rules)) {
    at(copy, place)['x-kubernetes-validations'] = standing.map((rule) => ({ ...rule }));
  }
  return copy;
}

function at(root: StructuralSchema, place: string): StructuralSchema {
  const steps = place
    .replaceAll('[]', '.[]')
    .split('.')
    .filter((step) => step !== '');
  return steps.reduce((schema, step) => {
    const next = step === '[]' ? schema.items : schema.properties?.[step];
    if (next === undefined) throw new Error(`the schema has no field ${place} for a rule`);
    return next;
  }, root);
}

const META: Readonly<Record<string, StructuralSchema>> = {
  apiVersion: { type: 'string', description: 'The version of the schema of this object.' },
  kind: { type: 'string', description: 'The kind of this object.' },
  metadata: { type: 'object' },
};
