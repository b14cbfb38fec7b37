/** Parts of objects that are always there in practice, but not in their types. */
import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';

import type { KubeObject } from '../../../../../src/kube/object.ts';

export interface Identity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export function identityOf({ metadata = {} }: KubeObject): Identity {
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
  };
}

export function annotationsOf({ metadata }: KubeObject): Readonly<Record<string, string>> {
  return metadata?.annotations ?? {};
}

export function templateOf({ spec }: { spec?: { template?: PodTemplateSpec } }): PodTemplateSpec {
  return spec?.template ?? {};
}

export function conditionsOf<T>({ status }: { status?: { conditions?: T[] } }): readonly T[] {
  return status?.conditions ?? [];
}
