/** Writes a hook file as one line of the index: its positions omit the file's name. */
import type { Position } from '../../../model/problem.ts';
import type { IndexedFile } from '../hooksd/hook-file.ts';

interface Packed extends Omit<IndexedFile, 'positions'> {
  readonly positions: Readonly<Record<string, readonly [line: number, column: number]>>;
}

export function packHookFile(file: IndexedFile): Packed {
  const positions = Object.entries(file.positions).map(
    ([path, { line, column }]) => [path, [line, column]] as const,
  );
  return { ...file, positions: Object.fromEntries(positions) };
}

export function unpackHookFile(line: string): IndexedFile {
  const packed = JSON.parse(line) as Packed;
  const file = `${packed.folder}/${packed.name}`;
  const positions = Object.entries(packed.positions).map(
    ([path, [at, column]]): [string, Position] => [path, { file, line: at, column }],
  );
  return { ...packed, positions: Object.fromEntries(positions) };
}
