/** A module of mutants, and its mutated files. */
export interface MutantModule {
  readonly name: string;
  /** Files, and directories, which stand for the files directly in them. A file belongs to one module only. */
  readonly mutated: readonly string[];
  /** Files in those directories that only have side effects; they are not mutated. */
  readonly acting?: readonly string[];
  /**
   * Test files, and directories, which stand for the unit tests directly in them. None of them starts processes or runs
   * a whole simulation, because each mutant runs them again.
   */
  readonly tests: readonly string[];
  /** Excluded tests in those directories: they drive a controller, which takes too long for every mutant. */
  readonly actingTests?: readonly string[];
  /** Percentage of mutants that must be killed or listed in survivors/NAME.json; 0: not measured yet. */
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
