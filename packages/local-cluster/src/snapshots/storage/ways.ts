/** Chooses the directory and the methods for the cut of a volume, and joins the results of several volumes. Pure. */
import { besideFolder, insideFolder } from './layout.ts';
import type { Proof } from './one-moment.ts';

export interface Source {
  readonly path: string;
  /** The directory to cut: the subvolume that contains the path, else the path itself. */
  readonly root: string;
  readonly subvolume: boolean;
}

export interface Part {
  readonly source: string;
  readonly target: string;
  readonly method: Method;
  readonly cutAtMs: number;
  /** Proof for a part that was copied file by file; null if it is not proven yet, or needs no proof. */
  readonly proof: Proof | null;
  /** True if an earlier request made this part. */
  readonly isKnown: boolean;
}

export interface Cut {
  /** The cut directories, in the order of the request. */
  readonly handles: readonly string[];
  /** Method of the cut. If the parts differ, it is the weakest one. */
  readonly method: Method;
  /** True if all copies show the same moment. */
  readonly atomic: boolean;
  /** Why the cut is or is not atomic, as text for users. */
  readonly reason: string;
  readonly cutAtMs: number;
}

interface Way {
  readonly method: Method;
  /** The directory to cut. */
  readonly from: string;
  readonly folder: string;
}

export function waysOf({ path, root, subvolume }: Source): readonly Way[] {
  const btrfs = [besideFolder(root), insideFolder(root)].map((folder): Way => ({
    method: 'btrfs',
    from: root,
    folder,
  }));
  const folder = besideFolder(path);
  return [
    ...(subvolume ? btrfs : []),
    { method: 'reflink', from: path, folder },
    { method: 'copy', from: path, folder },
  ];
}

export function joined(sources: readonly Source[], parts: ReadonlyMap<string, Part>): Cut {
  const all = [...parts.values()];
  const order: readonly Method[] = ['copy', 'reflink', 'btrfs'];
  const method = order.find((each) => all.some((part) => part.method === each)) ?? 'copy';
  return {
    handles: sources.map(({ path, root }) => {
      const part = parts.get(root) ?? parts.get(path);
      const within = part?.method === 'btrfs' ? path.slice(root.length) : '';
      return `${part?.target ?? ''}${within}`;
    }),
    method,
    ...atomicity(method, all),
    cutAtMs: Math.max(...all.map(({ cutAtMs }) => cutAtMs)),
  };
}

/**
 * Whether a cut of several parts is atomic. The parts were copied in one period. If each is proven unchanged over that
 * period, all are of one moment.
 */
function atomicity(method: Method, parts: readonly Part[]): Pick<Cut, 'atomic' | 'reason'> {
  if (isAtomic(method)) {
    return parts.length === 1
      ? { atomic: true, reason: 'one snapshot of the subvolume' }
      : { atomic: false, reason: `${parts.length} subvolumes, one after the other` };
  }
  const unproven = parts.find(({ proof }) => proof?.unchanged !== true);
  const reported = unproven ?? parts[0];
  return {
    atomic: unproven === undefined,
    reason:
      reported?.proof?.reason ?? `${parts.length} volumes in different ways, one after the other`,
  };
}

/**
 * The methods to cut a directory, the best first.
 *
 *  btrfs    a snapshot of the subvolume: one moment for everything in it
 *  reflink  each file shares its blocks with the original: fast, but one file after the other
 *  copy     every byte, one file after the other
 *
 * Only btrfs is atomic by itself. The other two read the files one after the other. Unless the application is frozen,
 * the result is not crash-consistent.
 */
export type Method = 'btrfs' | 'reflink' | 'copy';

function isAtomic(method: Method): boolean {
  return method === 'btrfs';
}

/** Milliseconds for one run of each method; a copy of much data takes long. */
export const TIMEOUT_MS: Readonly<Record<Method, number>> = {
  btrfs: 30_000,
  reflink: 60_000,
  copy: 300_000,
};

export interface Place {
  /** Directory to cut; for btrfs a subvolume. */
  readonly source: string;
  /** Path of the cut, which does not exist yet. */
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
