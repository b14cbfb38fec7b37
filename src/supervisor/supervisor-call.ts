/** The command line of a supervisor: the number of arguments identifies the kind of container. Pure. */

/** A container of the container lifecycle. */
export interface Life {
  readonly folder: string;
  readonly instance: string;
}

export type SupervisorCall =
  /** A container of `lifehook oci`. */
  | { readonly nodeFolder: null; readonly life: Life }
  /** A pod's container of the local cluster. life null: a plain process; else one of an OCI runtime. */
  | { readonly nodeFolder: string; readonly life: Life | null };

/** null: the number of arguments is wrong. */
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
