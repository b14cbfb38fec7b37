/**
 * The ways to cut a folder, the best first.
 *
 *  btrfs    a snapshot of the subvolume: one moment for everything in it
 *  reflink  each file shares its blocks with the original: quick, but one file after the other
 *  copy     every byte, one file after the other
 *
 * Only the first is atomic. The other two give what the files were while the program ran: without a
 * freeze of the application that is no crash-consistent state.
 */
export type Method = 'btrfs' | 'reflink' | 'copy';

export function isAtomic(method: Method): boolean {
  return method === 'btrfs';
}

/** Of one run; a copy of much takes long. */
export const TIMEOUT_MS: Readonly<Record<Method, number>> = {
  btrfs: 30_000,
  reflink: 60_000,
  copy: 300_000,
};

export interface Place {
  /** What is cut: a subvolume for btrfs, a folder otherwise. */
  readonly source: string;
  /** Not there yet. */
  readonly target: string;
}

export function argvOf(method: Method, { source, target }: Place): readonly string[] {
  switch (method) {
    case 'btrfs':
      return ['btrfs', 'subvolume', 'snapshot', '-r', source, target];
    case 'reflink':
      return ['cp', '--archive', '--reflink=always', '--no-target-directory', source, target];
    case 'copy':
      return ['cp', '--archive', '--reflink=never', '--no-target-directory', source, target];
    default:
      return method satisfies never;
  }
}
