import type { KubeObject } from '../../../kube/object.ts';

/** What an object is known by; '' where it has none of it. */
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
