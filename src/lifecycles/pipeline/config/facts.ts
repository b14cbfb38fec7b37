/** What reading a pipeline needs to know of the world; everything else in this folder is pure. */
export interface ConfigFacts {
  /** The text of a file; null: there is none. Rejects where it can't be read. */
  readText(path: string): Promise<string | null>;
  isFolder(path: string): Promise<boolean>;
  /** The current one; null: none is known. Asked at most once for each module. */
  kubeContext(): Promise<string | null>;
}
