/** Identifies an object in a cluster, and names it in messages. */
import type { KubeObject, ObjectKey } from '../../../kube/object.ts';

export interface ObjectRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

export function refOf({ apiVersion = '', kind = '', metadata = {} }: KubeObject): ObjectRef {
  const { namespace, name = '' } = metadata;
  return { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) };
}

/** The key of an object: the same text for the same object. */
export function keyOf({ apiVersion, kind, namespace = '', name }: ObjectRef): string {
  return [apiVersion, kind, namespace, name].join(' ');
}

export function keyIn({ namespace, name }: ObjectRef): ObjectKey {
  return namespace === undefined ? { name } : { namespace, name };
}

/** The name for messages, such as "Deployment shop/web". */
export function titleOf({ kind, namespace, name }: ObjectRef): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
