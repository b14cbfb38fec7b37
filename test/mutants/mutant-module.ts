/** A module of mutants, and its mutated files. */
export interface MutantModule {
  readonly name: string;
  /** Directories, which mean the files directly in them, and files. A file belongs to one module. */
  readonly mutated: readonly string[];
  /** Files in those directories that only act. */
  readonly acting?: readonly string[];
  /**
   * Directories, which mean the unit tests directly in them, and files of tests. None drives processes or a whole
   * simulation: each mutant runs them again.
   */
  readonly tests: readonly string[];
  /** Tests in those directories that drive a controller, which takes too long for every mutant. */
  readonly actingTests?: readonly string[];
  /** Percentage of the mutants that have to be killed or listed in survivors/NAME.json; 0: not measured yet. */
  readonly floor: number;
}

export function within(folder: string, ...names: readonly string[]): string[] {
  return names.map((name) => `${folder}/${name}`);
}

/** The files among `files` that the module mutates. */
export function mutatedFiles(
  { mutated, acting = [] }: MutantModule,
  files: readonly string[],
): string[] {
  return files.filter((file) => {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts') || acting.includes(file)) return false;
    return mutated.includes(file) || mutated.includes(file.slice(0, file.lastIndexOf('/')));
  });
}
