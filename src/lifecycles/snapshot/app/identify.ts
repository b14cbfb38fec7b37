import type { KubeObject } from '../../../kube/object.ts';

/** The identity of an object. A field that is not set is ''. */
export interface ObjectIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

export function identify({ metadata = {} }: KubeObject): ObjectIdentity {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata;
  return { namespace, name, uid, resourceVersion };
}
