/** Lists the npm packages that are compiled into the program, according to the bundler. Pure. */
import type { Metafile } from 'esbuild';

const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/;

/**
 * Directories of packages with at least one byte in an output. The form is that of npm's lock file: "node_modules/ws".
 */
export function packagesIn(metafiles: readonly Metafile[]): readonly string[] {
  const inputs = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap((output) => Object.entries(output.inputs));
  const folders = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => PACKAGE.exec(path)?.[0] ?? []);
  return [...new Set(folders)].toSorted();
}
