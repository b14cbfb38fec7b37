/** Parts that the schemas of the snapshot kinds share. */
import type {
  CustomResourceDefinition,
  JSONSchemaProps,
} from 'kubernetes-types/apiextensions/v1.js';

export type Properties = Record<string, JSONSchemaProps>;

export const text: JSONSchemaProps = { type: 'string' };
export const flag: JSONSchemaProps = { type: 'boolean' };
export const bytes: JSONSchemaProps = { type: 'integer', format: 'int64', minimum: 0 };
export const nanoseconds: JSONSchemaProps = { type: 'integer', format: 'int64' };
export const time: JSONSchemaProps = { type: 'string', format: 'date-time' };
export const policy: JSONSchemaProps = { type: 'string', enum: ['Delete', 'Retain'] };
export const parameters: JSONSchemaProps = { type: 'object', additionalProperties: text };
export const texts: JSONSchemaProps = { type: 'array', items: text };
export const error: JSONSchemaProps = object({ time, message: text });
export const reference: JSONSchemaProps = object({
  apiVersion: text,
  fieldPath: text,
  kind: text,
  name: text,
  namespace: text,
  resourceVersion: text,
  uid: text,
});

export function object(properties: Properties, required: string[] = []): JSONSchemaProps {
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}

export function oneOf(properties: Properties): JSONSchemaProps {
  const choices = Object.keys(properties).map((name) => ({ required: [name] }));
  return { ...object(properties), oneOf: choices };
}

export interface Definition {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: string[];
  readonly scope: 'Namespaced' | 'Cluster';
  /** Fields besides apiVersion, kind and metadata. */
  readonly properties: Properties;
  readonly required: string[];
  /** Name, JSON path and type of each printer column. */
  readonly columns: readonly (readonly [string, string, string])[];
}

/**
 * Value of the annotation `api-approved.kubernetes.io`: the API review of these schemas. A definition whose group ends
 * with `k8s.io` must have that annotation.
 */
const APPROVED = 'https://github.com/kubernetes-csi/external-snapshotter/pull/814';

export function define(definition: Definition): CustomResourceDefinition {
  const { group, kind, plural, shortNames, scope, properties, required, columns } = definition;
  const age = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };
  return {
    metadata: {
      name: `${plural}.${group}`,
      annotations: { 'api-approved.kubernetes.io': APPROVED },
    },
    spec: {
      group,
      scope,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase(), shortNames },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          ...('status' in properties ? { subresources: { status: {} } } : {}),
          schema: {
            openAPIV3Schema: object(
              { apiVersion: text, kind: text, metadata: { type: 'object' }, ...properties },
              required,
            ),
          },
          additionalPrinterColumns: [
            ...columns.map(([name, jsonPath, type]) => ({ name, jsonPath, type })),
            age,
          ],
        },
      ],
    },
  };
}
