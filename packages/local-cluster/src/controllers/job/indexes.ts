/** Completion indexes: of a pod, as a text ("0-2,5"), and which of them still need a pod. Pure. */
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';

import { annotationsOf } from '../workload/parts.ts';

export const INDEX = 'batch.kubernetes.io/job-completion-index';

export function isIndexed({ spec }: Job): boolean {
  return spec?.completionMode === 'Indexed';
}

/** null: the pod has none, or none that the job has a place for. */
export function indexOfPod(pod: Pod, completions: number): number | null {
  const text = annotationsOf(pod)[INDEX] ?? '';
  if (!/^\d{1,9}$/.test(text)) return null;
  const index = Number(text);
  return index < completions ? index : null;
}

/** What was counted for indexes that the job has no more is dropped. */
export function parseIndexes(text: string, completions: number): ReadonlySet<number> {
  const indexes = new Set<number>();
  for (const part of text.split(',')) {
    const found = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part);
    if (found === null) continue;
    const first = Number(found[1]);
    const last = Math.min(Number(found[2] ?? first), completions - 1);
    for (let index = first; index <= last; index += 1) indexes.add(index);
  }
  return indexes;
}

/** 0, 1, 2 and 5 are "0-2,5"; 0 and 1 are "0,1". */
export function formatIndexes(indexes: ReadonlySet<number>): string {
  const parts: string[] = [];
  const sorted = [...indexes].toSorted((a, b) => a - b);
  for (let at = 0; at < sorted.length;) {
    const first = sorted[at] ?? 0;
    let length = 1;
    while (sorted[at + length] === first + length) length += 1;
    if (length === 1) parts.push(String(first));
    else parts.push(`${first}${length === 2 ? ',' : '-'}${first + length - 1}`);
    at += length;
  }
  return parts.join(',');
}

/** The lowest that nobody has taken. */
export function freeIndexes(
  count: number,
  completions: number,
  taken: ReadonlySet<number>,
): readonly number[] {
  const free: number[] = [];
  for (let index = 0; index < completions && free.length < count; index += 1) {
    if (!taken.has(index)) free.push(index);
  }
  return free;
}
