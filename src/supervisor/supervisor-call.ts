/** The one command line of a supervisor: how many arguments it has says whose container it is. Pure. */

/** A container of the container lifecycle. */
export interface Life {
  readonly folder: string;
  readonly instance: string;
}

export type SupervisorCall =
  /** `lifehook oci`. */
  | { readonly nodeFolder: null; readonly life: Life }
  /** A pod of the local cluster: without a life as a plain process, with one through an OCI runtime. */
  | { readonly nodeFolder: string; readonly life: Life | null };

/** Null: with any other number of arguments it is no call. */
export function readCall(args: readonly string[]): SupervisorCall | null {
  const [first = '', second = '', third = ''] = args;
  switch (args.length) {
    case 1:
      return { nodeFolder: first, life: null };
    case 2:
      return { nodeFolder: null, life: { folder: first, instance: second } };
    case 3:
      return { nodeFolder: first, life: { folder: second, instance: third } };
    default:
      return null;
  }
}
