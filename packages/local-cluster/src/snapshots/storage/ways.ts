/** What is cut for a volume, by which methods in which order, and what comes of several parts. Pure. */
import { besideFolder, insideFolder } from './layout.ts';
import type { Proof } from './one-moment.ts';

export interface Source {
  readonly path: string;
  /** What is cut: the subvolume that it is or lies in, else the folder itself. */
  readonly root: string;
  readonly subvolume: boolean;
}

export interface Part {
  readonly source: string;
  readonly target: string;
  readonly method: Method;
  readonly cutAtMs: number;
  /** Of a part that was made file by file; null: it is to be judged, or needs no proof. */
  readonly proof: Proof | null;
  /** An earlier request had made it. */
  readonly isKnown: boolean;
}

export interface Cut {
  /** The folders as they were, in the order in which they were asked for. */
  readonly handles: readonly string[];
  /** The least of them, where they differ. */
  readonly method: Method;
  /** All of it is of one moment. */
  readonly atomic: boolean;
  /** How that is known, or why not, in words. */
  readonly reason: string;
  readonly cutAtMs: number;
}

interface Way {
  readonly method: Method;
  /** What is cut. */
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

/** Proofs of several parts are of one period in which none of them changed. */
function atomicity(method: Method, parts: readonly Part[]): Pick<Cut, 'atomic' | 'reason'> {
  if (isAtomic(method)) {
    return parts.length === 1
      ? { atomic: true, reason: 'one snapshot of the subvolume' }
      : { atomic: false, reason: `${parts.length} subvolumes, one after the other` };
  }
  const unproven = parts.find(({ proof }) => proof?.unchanged !== true);
  const told = unproven ?? parts[0];
  return {
    atomic: unproven === undefined,
    reason: told?.proof?.reason ?? `${parts.length} volumes in different ways, one after the other`,
  };
}

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

function isAtomic(method: Method): boolean {
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
