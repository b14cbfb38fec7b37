/** The permission of a controller for one kind of object. `lifehook install` creates its roles from these. */
export interface Permission {
  /** '': the core group. */
  readonly group: string;
  /** Includes a subresource, if any: "pods/exec". */
  readonly resource: string;
  readonly verbs: readonly string[];
  /** true: for cluster-scoped objects, which a namespaced role cannot grant. */
  readonly clusterWide?: boolean;
}
