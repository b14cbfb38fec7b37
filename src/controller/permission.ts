/** What a controller may do with one kind of object: the roles of `lifehook install` are made from these. */
export interface Permission {
  /** '' for the core group. */
  readonly group: string;
  /** With its subresource, if it is one: "pods/exec". */
  readonly resource: string;
  readonly verbs: readonly string[];
  /** true: of objects in no namespace, which a role of one namespace cannot give. */
  readonly clusterWide?: boolean;
}
