import type { JsonObject } from '../../../../src/kube/object.ts';
import type { CancelSignal } from '../../../../src/platform/platform.ts';
import type { TypeNode } from '../objects/type-node.ts';
import type { ResourceDefinition } from '../objects/resource-definition.ts';
import type { UserInfo } from './http.ts';

/**
 * Who may change or refuse a write before it is stored: webhooks. A refusal is a `StatusError`. A write
 * that is tried again after a conflict is asked about again.
 */
export interface Admission {
  /** The object as it shall be. A request without one (a deletion) is only given to `validate`. */
  mutate(request: AdmissionRequest): Promise<JsonObject>;
  validate(request: AdmissionRequest): Promise<void>;
}

export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly definition: ResourceDefinition;
  readonly namespace: string;
  /** '' for a collection, and before a name is generated. */
  readonly name: string;
  /** '' for the object itself. */
  readonly subresource: string;
  /** Of a subresource whose object is not that of its resource: a Scale. */
  readonly objectKind?: ObjectKind;
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  /** `CreateOptions`, `UpdateOptions`, `PatchOptions` or `DeleteOptions`; null for a connection. */
  readonly options: JsonObject | null;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  readonly signal: CancelSignal;
  /** A warning header of the answer. */
  warn(text: string): void;
}

export interface ObjectKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly type: TypeNode;
}

export const admitAll: Admission = {
  mutate: (request) => Promise.resolve(request.object ?? {}),
  validate: () => Promise.resolve(),
};
