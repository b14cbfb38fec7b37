import type { Json } from '../../../../src/kube/object.ts';

/** One thing wrong with an object, worded as a real API server words it. */
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
  /** `spec.containers[0].lifecycle.preStop` */
  readonly field: string;
  /** What was received; left out where the server does not repeat it (Required, Forbidden). */
  readonly value?: Json;
  readonly detail: string;
  /** A real server accepts the value: the local cluster cannot do what it asks for. */
  readonly isOnlyHere?: true;
}
