import type { JsonObject } from '../../../../src/kube/object.ts';
import type { CancelSignal } from '../../../../src/platform/platform.ts';
import type { TypeNode } from '../objects/type-node.ts';
import type { ResourceDefinition } from '../objects/resource-definition.ts';
import type { UserInfo } from './http.ts';

/**
 * Admission: webhooks that may change or refuse a write before it is stored. `mutate` and `validate` throw a
 * `StatusError` for a refusal. A write that is retried after a conflict is admitted again.
 */
export interface Admission {
  /** The object after all changes. For a request without an object (a deletion) only `validate` is called. */
  mutate(request: AdmissionRequest): Promise<JsonObject>;
  validate(request: AdmissionRequest): Promise<void>;
}

export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly definition: ResourceDefinition;
  readonly namespace: string;
  /** Name of the object; '' for a request on a collection, and for a create whose name is not generated yet. */
  readonly name: string;
  /** Name of the subresource; '' for a request on the object itself. */
  readonly subresource: string;
  /** Kind of the object, such as Scale; set only if it differs from the kind of the resource. */
  readonly objectKind?: ObjectKind;
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  /** `CreateOptions`, `UpdateOptions`, `PatchOptions` or `DeleteOptions`; null for a connection. */
  readonly options: JsonObject | null;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  readonly signal: CancelSignal;
  /** Adds a warning header to the response. */
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
