import type { JsonObject } from '../../../../src/kube/object.ts';
import type { CancelSignal } from '../../../../src/platform/platform.ts';
import type { TypeNode } from '../objects/type-node.ts';
import type { ResourceDefinition } from '../objects/resource-definition.ts';
import type { UserInfo } from './http.ts';

/**
 * Admission: webhooks that may change or refuse a write before it is stored. A refusal is a `StatusError`. A
 * write that is retried after a conflict is admitted again.
 */
export interface Admission {
  /** The object after all changes. A request without object (a deletion) only goes to `validate`. */
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
  /** The kind of the object if it is not that of its resource: a Scale. */
  readonly objectKind?: ObjectKind;
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  /** `CreateOptions`, `UpdateOptions`, `PatchOptions` or `DeleteOptions`; null for a connection. */
  readonly options: JsonObject | null;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  readonly signal: CancelSignal;
  /** Adds a warning header to the answer. */
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
