import type { Json } from '../../../../src/kube/object.ts';

/** One error in an object, in the text of a real API server. */
export interface FieldError {
  readonly type:
    | 'Required'
    | 'Invalid'
    | 'NotSupported'
    | 'Forbidden'
    | 'Duplicate'
    | 'NotFound'
    | 'TooLong'
    | 'TooMany'
    | 'TypeInvalid'
    | 'InternalError';
  /** Example: `spec.containers[0].lifecycle.preStop` */
  readonly field: string;
  /** The received value; absent if the server does not repeat it (Required, Forbidden). */
  readonly value?: Json;
  readonly detail: string;
  /** A real server accepts the value; the local cluster does not support it. */
  readonly isOnlyHere?: true;
}
