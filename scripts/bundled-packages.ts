/** Which packages of npm are compiled into the program, by what the bundler reports. Pure. */
import type { Metafile } from 'esbuild';

const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;

/** The directories of packages that have at least one byte in an output, as a lock file of npm names them: "node_modules/ws". */
export function packagesIn(metafiles: readonly Metafile[]): readonly string[] {
  const inputs = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap((output) => Object.entries(output.inputs));
  const folders = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => PACKAGE.exec(path)?.[0] ?? []);
  return [...new Set(folders)].toSorted();
}
